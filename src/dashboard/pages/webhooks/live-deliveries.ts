import type { Delivery, DeliveryPage } from "../../api/deliveries.ts";
import { MAX_TOP_ROWS, unknownIn, withRows } from "../../api/page-rows.ts";

type Pages = readonly DeliveryPage[];

/**
 * The pages with the current rows of the API. Rows keep their places.
 * @returns the same pages if nothing has changed
 */
export function withFreshRows(pages: Pages, fresh: readonly Delivery[]): Pages {
  const byId = new Map(fresh.map((row) => [row.id, row]));
  return withRows(pages, byId, (row, found) => (JSON.stringify(found) === JSON.stringify(row) ? row : found));
}

/** Rows of a page that no longer match the filter: the fresh page at the same place would have them. */
export function goneFrom(page: DeliveryPage, fresh: DeliveryPage): readonly Delivery[] {
  const present = new Set(fresh.data.map(({ id }) => id));
  const last = fresh.data.at(-1);
  // The fresh page of a search can end before the loaded one does.
  const isCovered = (row: Delivery) => !fresh.has_more || (last !== undefined && order(row, last) <= 0);
  return page.data.filter((row) => !present.has(row.id) && isCovered(row));
}

/**
 * The pages with the rows of a fresh first page, and without those that no longer match. If it does not connect to the first
 * page, or that page is already long, the fresh page replaces all pages.
 */
export function withNewest(pages: Pages, fresh: DeliveryPage): Pages {
  const [first, ...others] = pages;
  const last = first?.data.at(-1);
  if (!first || !last) return [fresh];
  const unknown = unknownIn(pages, fresh.data);
  const joins = unknown.length < fresh.data.length && unknown.every((row) => order(row, last) <= 0);
  if (!joins || first.data.length + unknown.length > MAX_TOP_ROWS) return [fresh];
  const gone = new Set(goneFrom(first, fresh));
  const data = [...unknown, ...first.data.filter((row) => !gone.has(row))].sort(order);
  return withFreshRows([{ ...first, data }, ...others], fresh.data);
}

/** The order of the list: the newest event first, and events of one time by their ids. */
function order(one: Delivery, other: Delivery): number {
  const byTime = Date.parse(other.at) - Date.parse(one.at);
  if (byTime !== 0) return byTime;
  if (one.id === other.id) return 0;
  return one.id > other.id ? -1 : 1;
}
