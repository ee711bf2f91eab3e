import { describe, expect, it, vi } from "vitest";
import { Problem } from "./problem.ts";

// The client reads the address of the page, which does not exist here.
vi.stubGlobal("document", { baseURI: "http://localhost/dashboard/" });
const { pollEvery } = await import("./polling.ts");
// Test files of one worker share their globals.
vi.unstubAllGlobals();

const failed = (code: Problem["code"], status: number) => new Problem({ code, status, detail: "" });

describe("a poll", () => {
  it("continues after a temporary failure", () => {
    expect(pollEvery(1_000)({ state: { data: undefined, error: failed("network", 0) } })).toBe(1_000);
  });

  it("does not ask the user to sign in again after the session has ended", () => {
    const error = failed("auth.session_invalid", 401);
    expect(pollEvery(1_000)({ state: { data: undefined, error } })).toBe(false);
    expect(pollEvery(() => 1_000)({ state: { data: "shown", error } })).toBe(false);
  });

  it("ends when the expected data arrives", () => {
    const poll = pollEvery<string>((data) => (data === "done" ? false : 500));
    expect(["open", "done"].map((data) => poll({ state: { data, error: null } }))).toEqual([500, false]);
  });
});
