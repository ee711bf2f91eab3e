import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rowsBetween } from "./use-row-window.ts";
import { rowsOfPages } from "./virtual-table.tsx";

describe("the rows of a long list", () => {
  it("are the rows of its pages, for any start and end of the window", () => {
    const pages = fc.array(fc.record({ data: fc.array(fc.nat(9), { maxLength: 5 }) }), { maxLength: 6 });
    fc.assert(
      fc.property(pages, fc.nat(30), fc.nat(30), (some, first, last) => {
        const rows = rowsOfPages(some);
        const all = some.flatMap(({ data }) => data);
        expect(rows.count).toBe(all.length);
        expect(rows.slice(first, last)).toEqual(all.slice(first, last));
      }),
    );
  });

  it("in a window include all visible rows, and few more", () => {
    fc.assert(
      fc.property(
        fc.nat(5_000_000),
        fc.integer({ min: 1, max: 3_000 }),
        fc.integer({ min: 20, max: 80 }),
        (top, height, row) => {
          const { first, last } = rowsBetween(top, top + height, row);
          expect(first * row).toBeLessThanOrEqual(top);
          expect(last * row).toBeGreaterThanOrEqual(top + height);
          expect(last - first).toBeLessThanOrEqual(height / row + 40);
        },
      ),
    );
  });
});
