/** An index answers a condition by ranges of encoded values. */
import { encodeKey, RANK, typeRank } from "../bson/key.ts";
import { UNDEFINED, type Value } from "../bson/values.ts";
import type { Comparison, FieldTest } from "./filter.ts";

/** A part of an index field's bytes: from `start`, and before `end`. */
export interface Interval {
  start: Buffer;
  end: Buffer;
}

/** The intervals say all that a condition says, where no array was indexed. */
export interface Bounds {
  intervals: Interval[];
  /** Every interval is one value, whose bytes are its start. */
  points: boolean;
}

const AFTER = Buffer.from([0xff]);

/** All that begins with these bytes. */
export function beginningWith(bytes: Buffer): Interval {
  return { start: bytes, end: Buffer.concat([bytes, AFTER]) };
}

/**
 * The bounds of a condition in a field of an index, or undefined when it is of no use for it.
 * @param multikey an array was indexed
 */
export function boundsOf(test: FieldTest, descending: boolean, multikey: boolean): Bounds | undefined {
  switch (test.op) {
    case "exists":
      return undefined;
    case "eq":
      return points([test.value], descending, multikey);
    case "in":
      return points(test.values, descending, multikey);
    default:
      return range(test.op, test.value, descending, multikey);
  }
}

function points(values: readonly Value[], descending: boolean, multikey: boolean): Bounds | undefined {
  // Arrays match as a whole or by element: that is left to the matcher.
  if (values.some(Array.isArray)) return undefined;
  // An empty array is indexed as undefined, and null may lie in an array's documents.
  const indexed = multikey && values.includes(null) ? [...values, UNDEFINED] : values;
  const keys = indexed.map((value) => encodeKey(value, descending)).sort((a, b) => a.compare(b));
  return { intervals: keys.map(beginningWith), points: true };
}

function range(op: Comparison, value: Value, descending: boolean, multikey: boolean): Bounds | undefined {
  if (Array.isArray(value)) return undefined;
  if (value === null) return op === "gte" || op === "lte" ? points([null], descending, multikey) : undefined;
  if (Number.isNaN(value)) return undefined;
  const rank = typeRank(value);
  const { start, end } = beginningWith(encodeKey(value, descending));
  const first = descending ? 0xff - rank : rank;
  // The next byte is that of no type.
  const type: Interval = { start: Buffer.from([first]), end: Buffer.from([first + 1]) };
  if (rank === RANK.number) {
    // NaN lies below all numbers in the order, but is neither less nor more than any.
    const notANumber = beginningWith(encodeKey(Number.NaN, descending));
    if (descending) type.end = notANumber.start;
    else type.start = notANumber.end;
  }
  const upwards = (op === "gt" || op === "gte") !== descending;
  const inclusive = op === "gte" || op === "lte";
  const interval = upwards
    ? { start: inclusive ? start : end, end: type.end }
    : { start: type.start, end: inclusive ? end : start };
  return { intervals: [interval], points: false };
}

/** All values outside of these: between the intervals, before the first and behind the last. */
export function complement({ intervals }: Bounds): Bounds {
  const gaps: Interval[] = [];
  let start: Buffer = Buffer.alloc(0);
  for (const interval of [...intervals].sort((a, b) => a.start.compare(b.start))) {
    if (start.compare(interval.start) < 0) gaps.push({ start, end: interval.start });
    if (start.compare(interval.end) < 0) start = interval.end;
  }
  gaps.push({ start, end: AFTER });
  return { intervals: gaps, points: false };
}

/** The values that both allow. Only for a field that never held an array: there each condition may be met by another element. */
export function intersect(a: Bounds, b: Bounds): Bounds {
  const intervals: Interval[] = [];
  for (const left of a.intervals) {
    for (const right of b.intervals) {
      const start = left.start.compare(right.start) >= 0 ? left.start : right.start;
      const end = left.end.compare(right.end) <= 0 ? left.end : right.end;
      if (start.compare(end) < 0) intervals.push({ start, end });
    }
  }
  return { intervals, points: a.points || b.points };
}
