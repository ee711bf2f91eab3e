import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LATE, unlessLate } from "./unless-late.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("gives the result of work that ends in time, and leaves no timer", async () => {
  expect(await unlessLate(1_000, Promise.resolve("done"))).toBe("done");
  expect(vi.getTimerCount()).toBe(0);
});

it("rejects as work does that fails in time, and leaves no timer", async () => {
  await expect(unlessLate(1_000, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(vi.getTimerCount()).toBe(0);
});

it("gives LATE for work that takes longer, and ignores how it fails afterwards", async () => {
  let reject: (error: Error) => void = () => undefined;
  const work = new Promise<string>((_, fail) => {
    reject = fail;
  });
  const result = unlessLate(1_000, work);
  vi.advanceTimersByTime(1_000);
  expect(await result).toBe(LATE);
  // An unhandled rejection would fail this file.
  reject(new Error("broken later"));
  await Promise.resolve();
});
