import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type BackgroundWork, startBackground } from "./background.ts";
import { createLifecycle } from "./lifecycle.ts";
import { createLogger } from "./logger.ts";

const log = createLogger("silent");

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function started(work: Pick<BackgroundWork, "run" | "stop">) {
  const lifecycle = createLifecycle(log);
  startBackground({ name: "work", everyMs: 1_000, ...work }, { lifecycle, log });
  return lifecycle;
}

it("begins no run before the previous one has ended", async () => {
  const ends: (() => void)[] = [];
  started({
    run: () => new Promise((resolve) => ends.push(resolve)),
  });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ends).toHaveLength(2);
});

it("continues after a failed run, whether it throws or rejects", async () => {
  let turns = 0;
  started({
    run: () => {
      turns++;
      if (turns === 1) throw new Error("thrown");
      return Promise.reject(new Error("rejected"));
    },
  });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(turns).toBe(3);
});

it("ends after the run in progress, and then does its final work", async () => {
  const steps: string[] = [];
  let end = () => {};
  const lifecycle = started({
    run: () =>
      new Promise((resolve) => {
        end = () => {
          steps.push("turn");
          resolve();
        };
      }),
    stop: () => void steps.push("stop"),
  });
  await vi.advanceTimersByTimeAsync(1_000);
  const closed = lifecycle.close(60_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(steps).toEqual([]);
  end();
  await closed;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(steps).toEqual(["turn", "stop"]);
});
