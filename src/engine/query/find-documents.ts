import { fieldSelector } from "../bson/decode.ts";
import type { SqliteFile } from "../storage/database.ts";
import type { KeyField } from "../storage/index-keys.ts";
import type { Collection, StoredDoc } from "../storage/schema.ts";
import { type Filter, fieldsOf } from "./filter.ts";
import { matches } from "./matches.ts";
import { choosePlan, type Plan } from "./plan.ts";
import { countPlan, scanPlan } from "./scan.ts";
import { sortInMemory } from "./sort.ts";

export interface Query {
  readonly collection: Collection;
  readonly filter: Filter;
  readonly sort?: readonly KeyField[];
  readonly skip?: number | undefined;
  /** 0 or undefined: no limit. */
  readonly limit?: number | undefined;
}

/** The stored documents that match a query. */
export function* findDocuments(file: SqliteFile, query: Query): Generator<StoredDoc, void> {
  const { collection, filter, sort = [], skip = 0, limit = 0 } = query;
  const plan = choosePlan(collection, filter, sort);
  const found = filtered(file, query, plan);
  const end = limit > 0 ? skip + limit : Infinity;
  let count = 0;
  for (const document of plan.sorted ? found : sortInMemory(found, sort, end)) {
    if (count++ < skip) continue;
    yield document;
    if (count >= end) return;
  }
}

/** Counts the documents that match a query, in the index alone if possible. */
export function countDocuments(
  file: SqliteFile,
  query: Pick<Query, "collection" | "filter" | "limit">,
): number {
  const limit = query.limit || Infinity;
  const plan = choosePlan(query.collection, query.filter, []);
  if (plan.exact) return countPlan(file, query.collection, plan, limit);
  let total = 0;
  for (const _ of filtered(file, query, plan)) {
    if (++total >= limit) break;
  }
  return total;
}

function* filtered(
  file: SqliteFile,
  { collection, filter }: Pick<Query, "collection" | "filter">,
  plan: Plan,
): Generator<StoredDoc, void> {
  const select = fieldSelector(fieldsOf(filter));
  for (const stored of scanPlan(file, collection, plan)) {
    if (plan.exact || matches(filter, select(stored.bytes))) yield stored;
  }
}
