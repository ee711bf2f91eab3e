import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addBins, binOf, percentilesOf } from "./latency.ts";

const ACCURACY = 0.03;
const latencies = fc.array(fc.integer({ min: 1, max: 5 * 86_400_000 }), { minLength: 1, maxLength: 200 });

function sketchOf(all: readonly number[]): Record<string, number> {
  const bins: Record<string, number> = {};
  for (const ms of all) bins[binOf(ms)] = (bins[binOf(ms)] ?? 0) + 1;
  return bins;
}

describe("the sketch of latencies", () => {
  it("has percentiles within 3 % of the sorted latencies, for any split into sketches", () => {
    fc.assert(
      fc.property(fc.array(latencies, { minLength: 1, maxLength: 5 }), (groups) => {
        const sum = new Map<number, number>();
        for (const group of groups) addBins(sum, sketchOf(group));
        const sorted = groups.flat().sort((a, b) => a - b);
        const found = percentilesOf(sum);
        expect(found?.count).toBe(sorted.length);
        const exact = [0.5, 0.95, 0.99].map((of) => sorted[Math.floor(of * (sorted.length - 1))] as number);
        for (const [index, ms] of [found?.p50Ms, found?.p95Ms, found?.p99Ms].entries()) {
          const wanted = exact[index] as number;
          // Half a millisecond for rounding.
          expect(Math.abs((ms ?? 0) - wanted)).toBeLessThanOrEqual(wanted * ACCURACY + 0.5 + 1e-6);
        }
        expect(
          percentilesOf(new Map(Object.entries(sketchOf(sorted)).map(([b, n]) => [Number(b), n]))),
        ).toEqual(found);
      }),
    );
  });

  it("keeps the stored bins", () => {
    expect([1, 2, 10, 1_000, 60_000, 86_400_000].map(binOf)).toEqual([0, 12, 39, 116, 184, 305]);
  });

  it.each([
    ["negative, as clocks differ", -5_000, binOf(1)],
    ["zero", 0, binOf(1)],
    ["longer than a message waits", 30 * 86_400_000, binOf(5 * 86_400_000)],
  ])("clamps a latency that is %s", (_, ms, bin) => {
    expect(binOf(ms)).toBe(bin);
  });

  it("has no percentiles without latencies", () => {
    expect(percentilesOf(new Map())).toBeUndefined();
  });
});
