import { beforeEach, expect, it } from "vitest";
import type { Clock } from "./clock.ts";
import { measureSkew } from "./clock-skew.ts";
import { createSteadyClock } from "./steady-clock.ts";

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2030, 0, 1);

let passedMs: number;
let steppedMs: number;
let steps: number[];
const machine: Clock = {
  now: () => new Date(START_MS + passedMs + steppedMs),
  monotonicMs: () => passedMs,
};
const onStep = (stepMs: number) => void steps.push(stepMs);
const storeTime = async () => new Date(START_MS + passedMs + storeAheadMs);
let storeAheadMs: number;

beforeEach(() => {
  passedMs = 0;
  steppedMs = 0;
  storeAheadMs = 0;
  steps = [];
});

it.each([HOUR_MS, -HOUR_MS])(
  "goes on by the monotonic clock when the wall clock steps by %d ms",
  async (stepMs) => {
    const clock = createSteadyClock(machine, { onStep });
    passedMs += 60_000;
    steppedMs = stepMs;
    expect(clock.now().getTime()).toBe(START_MS + passedMs);
    passedMs += 7 * HOUR_MS;
    expect(clock.now().getTime()).toBe(START_MS + passedMs);
    expect([clock.holds(), steps]).toEqual([true, [stepMs]]);
  },
);

it("believes a step that the store confirms, and no other", async () => {
  const clock = createSteadyClock(machine, { onStep });
  steppedMs = HOUR_MS;
  clock.settle(await measureSkew(clock, storeTime));
  expect(clock.now().getTime()).toBe(START_MS);
  storeAheadMs = HOUR_MS + 800;
  clock.settle(await measureSkew(clock, storeTime));
  expect(clock.now().getTime()).toBe(START_MS + HOUR_MS);
  expect([clock.holds(), steps]).toEqual([false, [HOUR_MS]]);
});

it("follows the wall clock again when that steps back to where it was", () => {
  const clock = createSteadyClock(machine, { onStep });
  steppedMs = HOUR_MS;
  clock.check();
  passedMs += 60_000;
  steppedMs = 20;
  expect(clock.now()).toEqual(machine.now());
  expect([clock.holds(), steps]).toEqual([false, [HOUR_MS, 20 - HOUR_MS]]);
});

it("follows a wall clock that is slewed, or set by a moment", () => {
  const clock = createSteadyClock(machine, { onStep });
  for (let i = 1; i <= 1_000; i++) {
    passedMs += 1_000;
    steppedMs += 0.5;
    expect(clock.now()).toEqual(machine.now());
  }
  steppedMs += 4_000;
  expect(clock.now()).toEqual(machine.now());
  expect(steps).toEqual([]);
});

it("believes a step without a witness when it has lasted", () => {
  const clock = createSteadyClock(machine, { onStep, believeAfterMs: 900_000 });
  steppedMs = HOUR_MS;
  clock.check();
  passedMs += 899_000;
  expect(clock.now().getTime()).toBe(START_MS + passedMs);
  passedMs += 1_000;
  expect(clock.now()).toEqual(machine.now());
  const trusting = createSteadyClock(machine, { onStep, believeAfterMs: 0 });
  steppedMs = 0;
  expect(trusting.now()).toEqual(machine.now());
  expect(steps).toEqual([HOUR_MS, -HOUR_MS]);
});
