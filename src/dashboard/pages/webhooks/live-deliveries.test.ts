import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Delivery, DeliveryPage } from "../../api/deliveries.ts";
import { unknownIn } from "../../api/page-rows.ts";
import { goneFrom, withFreshRows, withNewest } from "./live-deliveries.ts";

const row = (second: number, state = "pending") => {
  const at = new Date(1_800_000_000_000 + second * 1_000).toISOString();
  return { id: `wep_1.evt_${second}`, at, state } as Delivery;
};
const page = (seconds: readonly number[], has_more = true): DeliveryPage => ({
  data: seconds.map((second) => row(second)),
  has_more,
});
const idsOf = (pages: readonly DeliveryPage[]) => pages.flatMap(({ data }) => data.map(({ id }) => id));
const ids = (seconds: readonly number[]) => seconds.map((second) => row(second).id);

describe("the rows of a live list of deliveries", () => {
  it("change in place, and keep the object of a page that has not changed", () => {
    const pages = [page([9, 8]), page([7, 6])];
    const next = withFreshRows(pages, [row(7, "delivered"), row(9), row(100)]);
    expect(idsOf(next)).toEqual(ids([9, 8, 7, 6]));
    expect(next[1]?.data[0]).toMatchObject({ state: "delivered" });
    expect(next[0]).toBe(pages[0]);
    expect(withFreshRows(pages, [row(8)])).toBe(pages);
  });

  it("are added in the order of their events, without those that no longer match", () => {
    const next = withNewest([page([9, 7, 6]), page([5, 4])], page([10, 8, 7]));
    expect(idsOf(next)).toEqual(ids([10, 8, 7, 6, 5, 4]));
  });

  it("are replaced by a page that does not join them", () => {
    const fresh = page([30, 29, 28]);
    expect(withNewest([page([9, 8])], fresh)).toEqual([fresh]);
    expect(withNewest([page([])], fresh)).toEqual([fresh]);
    const all = Array.from({ length: 1_000 }, (_, n) => 2_000 - n);
    expect(withNewest([page(all)], page([2_001, 2_000]))).toEqual([page([2_001, 2_000])]);
  });

  it("are not missed where a fresh page has not searched", () => {
    expect(goneFrom(page([9, 8, 7]), page([9, 8]))).toEqual([]);
    expect(goneFrom(page([9, 8, 7]), page([]))).toEqual([]);
    expect(goneFrom(page([9, 8, 7]), page([9], false))).toEqual([row(8), row(7)]);
  });

  it("are those of a new request after any changes, as far as its first page reaches", () => {
    const seconds = fc.uniqueArray(fc.nat(30), { maxLength: 20 });
    const size = 5;
    fc.assert(
      fc.property(seconds, seconds, (before, now) => {
        const newest = (all: readonly number[]) => all.toSorted((a, b) => b - a);
        const first = page(newest(before).slice(0, size), before.length > size);
        const fresh = page(newest(now).slice(0, size), now.length > size);
        const next = withNewest([first], fresh);
        expect(idsOf(next).slice(0, fresh.data.length)).toEqual(idsOf([fresh]));
        expect(unknownIn(next, fresh.data)).toEqual([]);
        expect(goneFrom(next[0] as DeliveryPage, fresh)).toEqual([]);
      }),
    );
  });
});
