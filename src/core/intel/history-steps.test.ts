import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { historySteps } from "../../../contracts/common/history-steps.ts";
import { lastOfSteps, stepsBefore, stepsBetween } from "./history-steps.ts";

const MAX = 400;
const DAY_MS = 86_400_000;
const kinds = fc.constantFrom(...historySteps);
const times = fc.date({ min: new Date("2019-12-20"), max: new Date("2032-03-10"), noInvalidDate: true });

/** A range with at most as many steps as a history. */
const ranges = fc
  .record({ kind: kinds, from: times, days: fc.integer({ min: 1, max: MAX - 1 }) })
  .map((range) => ({ ...range, until: new Date(range.from.getTime() + range.days * DAY_MS) }));

describe("the steps of a history", () => {
  it("cover the range without gaps, begin at midnight in UTC, and weeks on Monday", () => {
    fc.assert(
      fc.property(ranges, ({ kind, from, until }) => {
        const steps = stepsBetween(kind, from, until, MAX);
        expect(steps[0]?.start.getTime()).toBeLessThanOrEqual(from.getTime());
        expect(steps[0]?.end.getTime()).toBeGreaterThan(from.getTime());
        expect(steps.at(-1)?.start.getTime()).toBeLessThan(until.getTime());
        expect(steps.at(-1)?.end.getTime()).toBeGreaterThanOrEqual(until.getTime());
        for (const [index, { start, end }] of steps.entries()) {
          expect(start.getTime() % DAY_MS).toBe(0);
          if (kind === "week") expect(start.getUTCDay()).toBe(1);
          if (kind === "month") expect(start.getUTCDate()).toBe(1);
          const next = steps[index + 1];
          if (next) expect(next.start).toEqual(end);
        }
      }),
    );
  });

  it("are one more than the limit for a longer range, whatever its length", () => {
    const until = new Date("2999-01-01");
    expect(stepsBetween("day", new Date("2000-01-01"), until, MAX)).toHaveLength(MAX + 1);
  });

  it("are as many as were asked for before a time", () => {
    fc.assert(
      fc.property(kinds, times, fc.integer({ min: 0, max: 100 }), (kind, time, count) => {
        const steps = stepsBetween(kind, stepsBefore(kind, time, count), new Date(time.getTime() + 1), MAX);
        expect(steps).toHaveLength(count + 1);
      }),
    );
  });

  it("have the last entry before their end, as a search of all entries finds it", () => {
    fc.assert(
      fc.property(ranges, fc.array(times, { maxLength: 50 }), ({ kind, from, until }, found) => {
        const steps = stepsBetween(kind, from, until, MAX);
        const entries = found.toSorted((one, other) => one.getTime() - other.getTime());
        const expected = steps.map(({ end }) => entries.filter((at) => at < end).at(-1));
        expect(lastOfSteps(steps, entries, (at) => at)).toEqual(expected);
      }),
    );
  });
});
