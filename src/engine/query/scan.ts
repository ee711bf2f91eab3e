import type { Cell, SqliteFile } from "../storage/database.ts";
import type { Collection, Index, StoredDoc } from "../storage/schema.ts";
import type { ByteRange, Plan } from "./plan.ts";

/** Rows fetched together: few at first, because most queries need few, later up to about this many bytes. */
const FIRST_PAGE = 16;
const MAX_PAGE = 1000;
const PAGE_BYTES = 1 << 20;

interface Entry extends StoredDoc {
  key: Buffer;
}

/**
 * The documents of a plan, in its order. No SQLite statement stays open between two pages: each page begins at the end of the
 * last one, so that the walk can pause for any time while writes continue.
 */
export function* scanPlan(file: SqliteFile, collection: Collection, plan: Plan): Generator<StoredDoc, void> {
  if (plan.kind === "scan") {
    yield* scanCollection(file, collection);
    return;
  }
  const { index, reverse, ranges } = plan;
  const walk = (range: ByteRange) => scanRange(file, collection, index, range, reverse);
  const entries =
    plan.merge && ranges.length > 1
      ? mergeRanges(ranges, walk, reverse)
      : concatenate(reverse ? ranges.toReversed() : ranges, walk);
  if (!index.multikey) {
    yield* entries;
    return;
  }
  const seen = new Set<number>();
  for (const entry of entries) {
    if (seen.has(entry.row)) continue;
    seen.add(entry.row);
    yield entry;
  }
}

/** Counts the documents of an exact plan, up to `limit`, without reading them. */
export function countPlan(file: SqliteFile, collection: Collection, plan: Plan, limit: number): number {
  // At most the largest integer of SQLite.
  const most = Math.min(limit, Number.MAX_SAFE_INTEGER);
  if (plan.kind === "scan") {
    return Math.min(most, countCell(file.prepare(`SELECT count(*) FROM d${collection.id}`).get([])));
  }
  const table = plan.index.isId ? `d${collection.id}` : `i${plan.index.id}`;
  const statement = file.prepare(
    `SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE k >= ? AND k < ? LIMIT ?)`,
  );
  let total = 0;
  for (const { start, end } of plan.ranges) {
    if (total >= most) break;
    total += countCell(statement.get([start, end, most - total]));
  }
  return total;
}

function countCell(row: Cell[] | undefined): number {
  return (row?.[0] as number | undefined) ?? 0;
}

function* concatenate(ranges: readonly ByteRange[], walk: (range: ByteRange) => Generator<Entry, void>) {
  for (const range of ranges) yield* walk(range);
}

/** Merges several ranges in the order of the bytes after their prefixes. */
function* mergeRanges(
  ranges: readonly ByteRange[],
  walk: (range: ByteRange) => Generator<Entry, void>,
  reverse: boolean,
): Generator<Entry, void> {
  const heads: { entries: Generator<Entry, void>; prefix: number; entry: Entry }[] = [];
  for (const range of ranges) {
    const entries = walk(range);
    const next = entries.next();
    if (!next.done) heads.push({ entries, prefix: range.prefix, entry: next.value });
  }
  const precedes = (a: (typeof heads)[number], b: (typeof heads)[number]) => {
    const order =
      a.entry.key.compare(b.entry.key, b.prefix, b.entry.key.length, a.prefix, a.entry.key.length) ||
      a.entry.row - b.entry.row;
    return reverse ? order > 0 : order < 0;
  };
  while (heads.length > 0) {
    let first = 0;
    for (let at = 1; at < heads.length; at++) {
      if (precedes(heads[at] as (typeof heads)[number], heads[first] as (typeof heads)[number])) first = at;
    }
    const head = heads[first] as (typeof heads)[number];
    yield head.entry;
    const next = head.entries.next();
    if (next.done) heads.splice(first, 1);
    else head.entry = next.value;
  }
}

function* scanRange(
  file: SqliteFile,
  collection: Collection,
  index: Index,
  range: ByteRange,
  reverse: boolean,
): Generator<Entry, void> {
  const sql = rangeSql(collection, index, reverse);
  let page = file.prepare(sql.first).all([range.start, range.end, FIRST_PAGE]);
  let size = FIRST_PAGE;
  for (;;) {
    for (const [key, row, idKey, bytes] of page) {
      yield { key: key as Buffer, row: row as number, idKey: idKey as Buffer, bytes: bytes as Buffer };
    }
    if (page.length < size) return;
    const [key, row] = page[page.length - 1] as Cell[];
    size = nextSize(page, 3);
    const from = index.unique ? [key as Cell] : [key as Cell, row as Cell];
    page = file.prepare(sql.next).all([...from, reverse ? range.start : range.end, size]);
  }
}

function rangeSql(collection: Collection, index: Index, reverse: boolean): { first: string; next: string } {
  const docs = `d${collection.id}`;
  const columns = index.isId ? "e.k, e.rid, e.k, e.doc" : "e.k, e.rid, d.k, d.doc";
  // CROSS JOIN keeps SQLite from walking the documents first.
  const from = index.isId ? `${docs} e` : `i${index.id} e CROSS JOIN ${docs} d ON d.rid = e.rid`;
  const [way, beyond] = reverse ? [" DESC", "<"] : ["", ">"];
  const order = index.unique ? `e.k${way}` : `e.k${way}, e.rid${way}`;
  const position = index.unique ? `e.k ${beyond} ?` : `(e.k, e.rid) ${beyond} (?, ?)`;
  const limit = reverse ? "e.k >= ?" : "e.k < ?";
  return {
    first: `SELECT ${columns} FROM ${from} WHERE e.k >= ? AND e.k < ? ORDER BY ${order} LIMIT ?`,
    next: `SELECT ${columns} FROM ${from} WHERE ${position} AND ${limit} ORDER BY ${order} LIMIT ?`,
  };
}

/** All documents of a collection, in their natural order. */
export function* scanCollection(file: SqliteFile, collection: Collection): Generator<StoredDoc, void> {
  const statement = file.prepare(
    `SELECT rid, k, doc FROM d${collection.id} WHERE rid > ? ORDER BY rid LIMIT ?`,
  );
  let last = 0;
  let size = FIRST_PAGE;
  for (;;) {
    const page = statement.all([last, size]);
    for (const [row, idKey, bytes] of page) {
      yield { row: row as number, idKey: idKey as Buffer, bytes: bytes as Buffer };
    }
    if (page.length < size) return;
    last = (page[page.length - 1] as Cell[])[0] as number;
    size = nextSize(page, 2);
  }
}

function nextSize(page: readonly Cell[][], bytesColumn: number): number {
  const bytes = page.reduce((sum, row) => sum + (row[bytesColumn] as Buffer).length, 0);
  const fitting = Math.floor(PAGE_BYTES / (bytes / page.length + 1));
  return Math.max(1, Math.min(fitting, page.length * 4, MAX_PAGE));
}
