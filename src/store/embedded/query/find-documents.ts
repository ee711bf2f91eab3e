import { KeyWriter } from "../bson/key.ts";
import { fieldSelector } from "../bson/select.ts";
import type { Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import type { SqliteFile } from "../storage/database.ts";
import { indexEntries, type KeyField } from "../storage/index-keys.ts";
import type { StoredDoc } from "../storage/rows.ts";
import type { Collection } from "../storage/schema.ts";
import { type Filter, fieldsOf } from "./filter.ts";
import { matches } from "./matches.ts";
import { choosePlan, type Plan } from "./plan.ts";
import { countPlan, scanPlan } from "./scan.ts";

export interface Query {
  collection: Collection;
  filter: Filter;
  sort?: readonly KeyField[] | undefined;
  skip?: number | undefined;
  /** 0 or undefined: all. */
  limit?: number | undefined;
  hint?: Value | undefined;
  /** Called for each document looked at; throws when the operation has run out of time. */
  checkTime?: (() => void) | undefined;
}

/** As in MongoDB: a sort that no index answers may hold this much. */
const MAX_SORT_BYTES = 100 * 1024 * 1024;

/** The documents of a query, as stored. */
export function* findDocuments(file: SqliteFile, query: Query): Generator<StoredDoc, void> {
  const sort = query.sort ?? [];
  const plan = choosePlan(query.collection, query.filter, sort, query.hint);
  const found = filtered(file, query, plan);
  const ordered = plan.sorted ? found : sortInMemory(found, sort, query);
  const limit = query.limit || Infinity;
  let toSkip = query.skip ?? 0;
  let left = limit;
  for (const document of ordered) {
    if (toSkip > 0) {
      toSkip--;
      continue;
    }
    yield document;
    if (--left <= 0) return;
  }
}

/** How many documents a query finds; counted in the index alone where that can tell. */
export function countDocuments(file: SqliteFile, query: Query): number {
  const skip = query.skip ?? 0;
  const limit = query.limit || Infinity;
  const plan = choosePlan(query.collection, query.filter, [], query.hint);
  let total = 0;
  if (plan.exact) {
    total = countPlan(file, query.collection, plan, skip + limit);
  } else {
    for (const _ of filtered(file, query, plan)) {
      if (++total >= skip + limit) break;
    }
  }
  return Math.min(Math.max(total - skip, 0), limit);
}

function* filtered(file: SqliteFile, query: Query, plan: Plan): Generator<StoredDoc, void> {
  const select = fieldSelector(fieldsOf(query.filter));
  for (const stored of scanPlan(file, query.collection, plan)) {
    query.checkTime?.();
    if (plan.exact || matches(query.filter, select(stored.bytes))) yield stored;
  }
}

function* sortInMemory(
  found: Iterable<StoredDoc>,
  sort: readonly KeyField[],
  query: Query,
): Generator<StoredDoc, void> {
  const select = fieldSelector(sort.map((field) => field.parts[0] as string));
  const writer = new KeyWriter();
  const keep = query.limit ? query.limit + (query.skip ?? 0) : Infinity;
  let rows: { key: Buffer; stored: StoredDoc }[] = [];
  let bytes = 0;
  for (const stored of found) {
    rows.push({ key: sortKey(select(stored.bytes), sort, writer), stored });
    bytes += stored.bytes.length;
    if (rows.length >= keep * 2 + 100) {
      rows = inOrder(rows).slice(0, keep);
      bytes = rows.reduce((sum, row) => sum + row.stored.bytes.length, 0);
    }
    if (bytes > MAX_SORT_BYTES) {
      throw new CommandError(
        292,
        `Executor error during find command :: caused by :: Sort exceeded memory limit of ${MAX_SORT_BYTES} bytes, but did not opt in to external sorting.`,
      );
    }
  }
  for (const { stored } of inOrder(rows)) yield stored;
}

function inOrder(rows: { key: Buffer; stored: StoredDoc }[]) {
  return rows.sort((a, b) => a.key.compare(b.key));
}

/** The least of the keys that an index on the sort's fields would hold for the document. */
export function sortKey(
  document: Parameters<typeof indexEntries>[0],
  sort: readonly KeyField[],
  writer: KeyWriter,
): Buffer {
  const { keys } = sortEntries(document, sort, writer);
  return keys.reduce((least, key) => (key.compare(least) < 0 ? key : least));
}

function sortEntries(
  document: Parameters<typeof indexEntries>[0],
  sort: readonly KeyField[],
  writer: KeyWriter,
) {
  try {
    return indexEntries(document, sort, writer);
  } catch (error) {
    if (error instanceof CommandError && error.code === 171) {
      throw new CommandError(2, error.message.replace("cannot index", "cannot sort with keys that are"));
    }
    throw error;
  }
}
