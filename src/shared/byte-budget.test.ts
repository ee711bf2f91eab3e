import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createByteBudget } from "./byte-budget.ts";

const MB = 1024 * 1024;
const owner = (name: string, accountId = `account of ${name}`) => ({ keyId: name, accountId });
const busy = expect.objectContaining({ code: "service.busy", retryAfterSeconds: expect.any(Number) });
const tooMuch = expect.objectContaining({
  code: "rate.bytes_in_flight",
  retryAfterSeconds: expect.any(Number),
});

describe("bytes in flight", () => {
  it("are refused beyond the total budget, and accepted again when others are released", () => {
    const budget = createByteBudget({ maxBytes: 100 * MB });
    const first = budget.reserve(owner("a"), 40 * MB);
    budget.reserve(owner("b"), 40 * MB);
    expect(() => budget.reserve(owner("c"), 40 * MB)).toThrow(busy);
    first.release();
    first.release();
    budget.reserve(owner("c"), 40 * MB);
    expect(budget.usedBytes()).toBe(80 * MB);
  });

  it("are no longer counted after their release", () => {
    const budget = createByteBudget({ maxBytes: 100 * MB });
    const first = budget.reserve(owner("a"), 40 * MB);
    first.release();
    first.grow(10 * MB);
    expect(budget.usedBytes()).toBe(0);
  });

  it("are refused beyond the share of a key and of an account, while others have theirs", () => {
    const budget = createByteBudget({ maxBytes: 100 * MB });
    budget.reserve(owner("a", "acme"), 40 * MB);
    expect(() => budget.reserve(owner("a", "acme"), 20 * MB)).toThrow(tooMuch);
    budget.reserve(owner("b", "acme"), 30 * MB);
    expect(() => budget.reserve(owner("c", "acme"), 20 * MB)).toThrow(tooMuch);
    budget.reserve(owner("d", "other"), 30 * MB);
  });

  it("are refused with a retry time that follows from the rate of releases", () => {
    let nowMs = 0;
    const budget = createByteBudget({ maxBytes: 100 * MB, clock: { monotonicMs: () => nowMs } });
    const held = Array.from({ length: 10 }, (_, n) => budget.reserve(owner(`${n}`), 10 * MB));
    for (const reservation of held.slice(0, 4)) {
      nowMs += 2_000;
      reservation.release();
    }
    expect(() => budget.reserve(owner("a"), 70 * MB)).toThrow(
      expect.objectContaining({ retryAfterSeconds: 14 }),
    );
  });

  it("of a submission beyond the whole budget are refused as too large", () => {
    const budget = createByteBudget({ maxBytes: 100 * MB });
    expect(() => budget.reserve(owner("a"), 101 * MB)).toThrow(
      expect.objectContaining({ code: "request.too_large" }),
    );
    const coming = budget.reserve(owner("a"), 90 * MB);
    expect(() => coming.grow(11 * MB)).toThrow(expect.objectContaining({ code: "request.too_large" }));
  });

  it("of a single submission are accepted regardless of its sender's share", () => {
    const budget = createByteBudget({ maxBytes: 100 * MB });
    budget.reserve(owner("a"), 90 * MB);
  });

  it("of small submissions have a budget beside the large ones", () => {
    const budget = createByteBudget({ maxBytes: 100 * MB });
    budget.reserve(owner("a"), 50 * MB);
    budget.reserve(owner("b"), 50 * MB);
    for (let n = 0; n < 200; n++) budget.reserve(owner("a"), 60_000);
    expect(budget.hasCapacity()).toBe(true);
    for (let n = 0; n < 200; n++) budget.reserve(owner(`small ${n}`), 60_000);
    expect(budget.hasCapacity()).toBe(true);
    for (let n = 0; n < 36; n++) budget.reserve(owner(`more ${n}`), 60_000);
    expect(budget.hasCapacity()).toBe(false);
    expect(() => budget.reserve(owner("z"), 60_000)).toThrow(busy);
  });

  it("of unknown number move from the small budget to the large one as they arrive", () => {
    const budget = createByteBudget({ maxBytes: MB });
    const unknown = budget.reserve(owner("a"), 0);
    for (let n = 0; n < 15; n++) unknown.grow(60_000);
    expect(() => budget.reserve(owner("b"), 200_000)).toThrow(busy);
    budget.reserve(owner("b"), 60_000);
    expect(() => unknown.grow(200_000)).toThrow(expect.objectContaining({ code: "request.too_large" }));
    unknown.release();
    expect(budget.usedBytes()).toBe(60_000);
  });

  it("are all released in the end, and never exceed the budget", () => {
    const step = fc.record({ key: fc.nat(3), bytes: fc.nat(400_000), grow: fc.nat(200_000) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const budget = createByteBudget({ maxBytes: MB });
        const open = steps.flatMap(({ key, bytes, grow }) => {
          try {
            const reservation = budget.reserve(owner(String(key)), bytes);
            try {
              reservation.grow(grow);
            } catch {}
            return [reservation];
          } catch {
            return [];
          }
        });
        expect(budget.usedBytes()).toBeLessThanOrEqual(MB * 1.25);
        for (const reservation of open) reservation.release();
        expect(budget.usedBytes()).toBe(0);
        budget.reserve(owner("after"), MB);
      }),
    );
  });
});
