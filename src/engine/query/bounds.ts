/** An index answers a condition with ranges of encoded values. */
import { encodeKey, RANK, typeRank } from "../bson/key.ts";
import { UNDEFINED, type Value } from "../bson/values.ts";
import type { Comparison, FieldTest } from "./filter.ts";

/** A part of the bytes of an index field: from `start`, and before `end`. */
export interface Interval {
  start: Buffer;
  end: Buffer;
}

/** True if the intervals express the whole condition for fields without arrays. */
export interface Bounds {
  intervals: Interval[];
  /** Every interval is one value; its bytes are the start. */
  points: boolean;
}

const AFTER = Buffer.from([0xff]);

/** All bytes with this prefix. */
export function beginningWith(bytes: Buffer): Interval {
  return { start: bytes, end: Buffer.concat([bytes, AFTER]) };
}

/**
 * Bounds of a condition in a field of an index; undefined if the index cannot help.
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
  // Arrays match as a whole or by element, which the matcher checks.
  if (values.some(Array.isArray)) return undefined;
  // An empty array is indexed as undefined, and documents in an array may have null.
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
  // The next byte is not used by any type.
  const type: Interval = { start: Buffer.from([first]), end: Buffer.from([first + 1]) };
  if (rank === RANK.number) {
    // NaN is below all numbers in the order, but is neither less nor greater than any.
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

/** All values outside these intervals. */
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

/**
 * The values that both allow. Only for a field that never had an array, because another element of an array may match the
 * second condition.
 */
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
