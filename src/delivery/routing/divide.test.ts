import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Claimant, divide } from "./divide.ts";

const of = (...wants: number[]): Claimant[] => wants.map((one, n) => ({ id: `wrk_${n}`, wants: one }));

function concurrencies(whole: number, claimants: readonly Claimant[], turn = 0): number[] {
  const shares = divide(whole, claimants, turn);
  return claimants.map(({ id }) => shares.get(id)?.concurrency ?? -1);
}

describe("a limit", () => {
  it("belongs to one worker while no other has messages", () => {
    expect(concurrencies(20, of(3))).toEqual([20]);
    expect(divide(20, of(3), 0).get("wrk_0")?.part).toBe(1);
  });

  it("is divided evenly between workers that want more than the whole", () => {
    expect(concurrencies(20, of(20, 20, 20, 20, 20))).toEqual([4, 4, 4, 4, 4]);
    expect(concurrencies(20, of(20, 20, 20))).toEqual([7, 7, 6]);
  });

  it("gives a worker that wants little that amount, and the rest to the others", () => {
    expect(concurrencies(20, of(1, 100))).toEqual([1, 19]);
    expect(concurrencies(20, of(100, 2, 100, 4))).toEqual([7, 2, 7, 4]);
  });

  it("is spread evenly when no worker wants it", () => {
    expect(concurrencies(20, of(1, 3))).toEqual([9, 11]);
  });

  it("gives one delivery to each of many workers that rarely have a message, because they are rarely busy at the same time", () => {
    const few = Array.from({ length: 45 }, () => 0.2);
    expect(concurrencies(20, of(...few, 100)).slice(44)).toEqual([1, 11]);
  });

  it("rotates if there is not one for each, and each worker's turn comes soon", () => {
    const claimants = of(...Array.from({ length: 50 }, () => 20));
    const waited = Array.from({ length: 50 }, () => 0);
    let longest = 0;
    for (let turn = 0; turn < 1_000; turn++) {
      const given = concurrencies(20, claimants, turn);
      expect(given.reduce((sum, one) => sum + one, 0)).toBe(20);
      for (const [n, one] of given.entries()) {
        waited[n] = one > 0 ? 0 : (waited[n] ?? 0) + 1;
        longest = Math.max(longest, waited[n] ?? 0);
      }
    }
    expect(longest).toBeLessThanOrEqual(4);
  });

  it("lets every worker send, even if satisfied workers leave little", () => {
    expect(concurrencies(1, of(0.3, 5, 5)).reduce((sum, one) => sum + one, 0)).toBe(2);
  });

  it("never exceeds the whole, except one delivery for each worker that wants less than one", () => {
    const wants = fc.array(
      fc.oneof(fc.integer({ min: 2, max: 300 }), fc.double({ min: 0, max: 1, noNaN: true })),
      {
        minLength: 1,
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), wants, fc.nat(), (whole, amounts, turn) => {
        const shares = [...divide(whole, of(...amounts), turn).values()];
        const rounded = shares.filter(({ concurrency }) => concurrency === 1).length;
        const sum = shares.reduce((total, { concurrency }) => total + concurrency, 0);
        expect(sum).toBeLessThanOrEqual(whole + rounded);
        const parts = shares.reduce((total, { part }) => total + part, 0);
        expect(parts).toBeCloseTo(1);
      }),
    );
  });

  it("leaves nothing unused that a worker wants", () => {
    const wants = fc.array(fc.integer({ min: 2, max: 300 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), wants, fc.nat(), (whole, amounts, turn) => {
        const total = amounts.reduce((sum, one) => sum + one, 0);
        fc.pre(total >= whole);
        const sum = concurrencies(whole, of(...amounts), turn).reduce((all, one) => all + one, 0);
        expect(sum).toBe(whole);
      }),
    );
  });
});
