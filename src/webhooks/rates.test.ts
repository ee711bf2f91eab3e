import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRates } from "./rates.ts";

const CATCH_UP_MS = 50;

describe("the rate of an endpoint", () => {
  it("is never exceeded in any second, whenever attempts want to begin", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 200 }),
        (perSecond, pauses) => {
          const rates = createRates();
          let nowMs = 0;
          const begun: number[] = [];
          for (const pauseMs of pauses) {
            nowMs += pauseMs;
            nowMs += rates.waitMs("wep_1", nowMs);
            rates.begin("wep_1", perSecond, nowMs);
            begun.push(nowMs);
          }
          for (const [index, atMs] of begun.entries()) {
            const inSecond = begun.slice(index).filter((one) => one < atMs + 1_000).length;
            expect(inSecond).toBeLessThanOrEqual(perSecond * (1 + CATCH_UP_MS / 1_000) + 1);
          }
        },
      ),
    );
  });

  it("limits only its endpoint, and ends when it is removed", () => {
    const rates = createRates();
    rates.begin("wep_1", 1, 0);
    rates.begin("wep_2", undefined, 0);
    expect([rates.waitMs("wep_1", 0), rates.waitMs("wep_2", 0), rates.waitMs("wep_3", 0)]).toEqual([
      950, 0, 0,
    ]);
    rates.begin("wep_1", undefined, 10);
    expect(rates.waitMs("wep_1", 10)).toBe(0);
  });

  it("is forgotten for endpoints that need not wait", () => {
    const rates = createRates();
    for (let n = 0; n < 100; n++) rates.begin(`wep_${n}`, 10, n);
    rates.begin("wep_last", 10, 60_000);
    expect(rates.size).toBe(1);
  });
});
