import { describe, expect, it } from "vitest";
import type { Target, TargetDelivery } from "../../api/targets.ts";
import { whatNow } from "./what-now.ts";

const now = new Date("2026-11-27T12:00:00Z");
const AT = "2026-11-27T11:00:00.000Z";
const target = (changes: Partial<Target>) => ({ kind: "slack", state: "unused", ...changes }) as Target;
const failing = {
  state: "failing",
  last_failed_at: AT,
  last_failure: "it answered 404",
  last_failure_parts: [],
};
const notice = (changes: Partial<TargetDelivery>) =>
  ({ state: "failed", attempts: 1, status: 404, detail: "it answered 404", ...changes }) as TargetDelivery;
const textsOf = (one: Target, deliveries?: TargetDelivery[]) => whatNow(one, deliveries, now).texts;

describe("the state of a target", () => {
  it("asks for a test before the first notice", () => {
    expect(textsOf(target({}))[1]).toBe("Send a test: it shows whether the target accepts a notice.");
  });

  it("names the last accepted notice", () => {
    const { tone, texts } = whatNow(target({ state: "working", last_delivered_at: AT }), [], now);
    expect(tone).toBe("ok");
    expect(texts).toHaveLength(1);
  });

  it("has the answer, the remedy and the next attempt of a failure", () => {
    const waiting = notice({ state: "pending", due_at: "2026-11-27T12:01:00.000Z", status: 503 });
    const [answer, remedy, next] = textsOf(target(failing), [waiting, notice({})]);
    expect(answer).toContain("the target answered 503.");
    expect(remedy).toContain("error of its own");
    expect(next).toMatch(/^The next attempt is at /);
  });

  it.each([
    ["slack", 404, "Create an incoming webhook in Slack"],
    ["slack", 400, "Check that the URL is that of an incoming webhook"],
    ["teams", 403, "Create a workflow in Teams"],
    ["webhook", 401, "verifies with the current secret"],
    ["webhook", 404, "Check the URL"],
    ["webhook", 410, "asks for no more notices"],
    ["webhook", 302, "Enter the final URL"],
    ["slack", 429, "Hermod waits"],
    ["teams", 0, "Hermod got no answer"],
  ] as const)("says what to do if %s answers %i", (kind, status, remedy) => {
    const texts = textsOf(target({ kind, ...failing }), [notice({ status })]);
    expect(texts.join(" ")).toContain(remedy);
  });

  it("has the stored reason before the notices are loaded", () => {
    expect(textsOf(target(failing))).toEqual([expect.stringContaining(": it answered 404.")]);
  });
});
