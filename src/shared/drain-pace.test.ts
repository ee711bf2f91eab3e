import { expect, it } from "vitest";
import { createDrainPace } from "./drain-pace.ts";

function paced() {
  let nowMs = 0;
  const pace = createDrainPace({ monotonicMs: () => nowMs });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { pace, pass };
}

it("says how long more of the same takes, by what lately ended", () => {
  const { pace, pass } = paced();
  pace.began(100);
  for (let n = 0; n < 10; n++) {
    pass(1_000);
    pace.ended(5);
  }
  expect(pace.secondsFor(20)).toBe(4);
  expect(pace.secondsFor(1)).toBe(1);
  expect(pace.secondsFor(1_000_000)).toBe(60);
});

it("follows work that becomes slower", () => {
  const { pace, pass } = paced();
  pace.began(1_000);
  for (let n = 0; n < 100; n++) {
    pass(100);
    pace.ended(5);
  }
  expect(pace.secondsFor(100)).toBe(2);
  for (let n = 0; n < 10; n++) {
    pass(10_000);
    pace.ended(10);
  }
  expect(pace.secondsFor(10)).toBeGreaterThanOrEqual(6);
});

it("does not count the time without work", () => {
  const { pace, pass } = paced();
  pace.began(10);
  pass(2_000);
  pace.ended(10);
  pass(3_600_000);
  pace.began(10);
  expect(pace.secondsFor(10)).toBe(2);
});

it("promises little before anything has ended, and less the longer nothing does", () => {
  const { pace, pass } = paced();
  expect(pace.secondsFor(10)).toBe(1);
  pace.began(10);
  pass(8_000);
  expect(pace.secondsFor(10)).toBe(8);
  pass(3_600_000);
  expect(pace.secondsFor(10)).toBe(60);
});
