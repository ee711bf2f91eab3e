import { fieldSelector } from "./bson/decode.ts";
import { DateTime, type Value } from "./bson/values.ts";
import type { Engine } from "./engine.ts";
import { CommandError } from "./errors.ts";
import { type Bounds, boundsOf, type Interval } from "./query/bounds.ts";
import { indexValues } from "./storage/index-keys.ts";
import type { Collection, Index } from "./storage/schema.ts";

/** Removed in one group, so that clients do not wait for long. */
const BATCH = 500;

/** Removes documents after their TTL, at most one batch for each index; returns true if more may be left. */
export function expireDocuments(engine: Engine): boolean {
  let more = false;
  for (const collection of engine.catalog.all()) {
    for (const index of collection.indexes) {
      if (index.expireAfterSeconds !== undefined && expire(engine, collection, index) === BATCH) more = true;
    }
  }
  return more;
}

function expire(engine: Engine, collection: Collection, index: Index): number {
  const deadline = engine.now() - (index.expireAfterSeconds as number) * 1000;
  const select = fieldSelector([index.fields[0]?.parts[0] as string]);
  const due = (value: Value) => value instanceof DateTime && value.ms <= deadline;
  const isDue = (bytes: Buffer) => {
    try {
      // The earliest of several dates in an array counts, and any entry in the range is one of them.
      return indexValues(select(bytes), index.fields).values.flat().some(due);
    } catch (error) {
      // An undecodable document is removed by the time of its index entry.
      if (error instanceof CommandError) return true;
      throw error;
    }
  };
  let removed = 0;
  for (const row of dueRows(engine, index, deadline)) {
    const stored = engine.rows.byRow(collection, row);
    if (stored === undefined) continue;
    if (!isDue(stored.bytes)) continue;
    engine.rows.remove(collection, stored);
    removed++;
  }
  return removed;
}

function dueRows(engine: Engine, index: Index, deadline: number): number[] {
  const isDescending = index.fields[0]?.descending === true;
  const due = boundsOf({ op: "lte", value: new DateTime(deadline) }, isDescending, index.multikey) as Bounds;
  const [{ start, end }] = due.intervals as [Interval];
  const found = engine.file
    .prepare(`SELECT rid FROM i${index.id} WHERE k >= ? AND k < ? LIMIT ?`)
    .all([start, end, BATCH]);
  return [...new Set(found.map(([row]) => row as number))];
}
