import type { Collection, Filter, FindOptions } from "mongodb";
import { guarded } from "./store-fault.ts";

/** A page of an account's documents, ordered by one field. */
export interface ListPage {
  /** Value of this field in the last entry of the previous page; undefined: from the beginning. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * Reads a page of documents. An index contains the fields of the filter and of the order.
 * @param by field of the order, unique within the filter; `-` descending
 * @throws Fault store.unavailable
 */
export async function readPage<D extends object>(
  collection: Collection<D>,
  filter: Filter<D>,
  { after, limit }: ListPage,
  by: (keyof D & string) | `-${keyof D & string}`,
  options: FindOptions = {},
): Promise<D[]> {
  const isDescending = by.startsWith("-");
  const field = isDescending ? by.slice(1) : by;
  const behind = after === undefined ? {} : { [field]: isDescending ? { $lt: after } : { $gt: after } };
  const found = collection
    .find<D>({ ...filter, ...behind } as Filter<D>, options)
    .sort({ [field]: isDescending ? -1 : 1 })
    .limit(limit);
  return guarded(found.toArray());
}
