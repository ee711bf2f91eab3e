/** An index answers a condition by ranges of encoded values. */
import { encodeKey, RANK, typeRank } from "../bson/key.ts";
import { UNDEFINED, type Value } from "../bson/values.ts";
import type { Comparison, FieldTest } from "./filter.ts";

/** A place between keys: just before, or just after, all keys that begin with `bytes` (of an ascending field). */
export interface Place {
  bytes: Buffer;
  after: boolean;
}

export interface Interval {
  low: Place;
  high: Place;
}

/** The intervals say all that a condition says, where no array was indexed. */
export interface Bounds {
  intervals: Interval[];
  /** Every interval is one value. */
  points: boolean;
}

/** The bounds of a condition, or undefined when an index is of no use for it. */
export function boundsOf(test: FieldTest, multikey: boolean): Bounds | undefined {
  switch (test.op) {
    case "exists":
      return undefined;
    case "eq":
      return Array.isArray(test.value) ? undefined : points([test.value], multikey);
    case "in":
      return test.values.some(Array.isArray) ? undefined : points(test.values, multikey);
    default:
      return range(test.op, test.value, multikey);
  }
}

function points(values: readonly Value[], multikey: boolean): Bounds {
  const keys = values.map(encodeKey);
  // An empty array is indexed as undefined, and null may lie in an array's documents.
  if (multikey && values.includes(null)) keys.push(encodeKey(UNDEFINED));
  keys.sort((a, b) => a.compare(b));
  return { intervals: keys.map(point), points: true };
}

function point(bytes: Buffer): Interval {
  return { low: { bytes, after: false }, high: { bytes, after: true } };
}

function range(op: Comparison, value: Value, multikey: boolean): Bounds | undefined {
  // Arrays match as a whole or by element: that is left to the matcher.
  if (Array.isArray(value)) return undefined;
  if (value === null) return op === "gte" || op === "lte" ? points([null], multikey) : undefined;
  if (Number.isNaN(value)) return undefined;
  const rank = typeRank(value);
  const key = encodeKey(value);
  // NaN lies below all numbers in the order, but is neither less nor more than any.
  const lowest =
    rank === RANK.number
      ? { bytes: encodeKey(Number.NaN), after: true }
      : { bytes: Buffer.from([rank - 1]), after: true };
  // Between two ranks: after the byte of one, anything may follow.
  const highest = { bytes: Buffer.from([rank + 1]), after: false };
  const interval: Interval =
    op === "gt" || op === "gte"
      ? { low: { bytes: key, after: op === "gt" }, high: highest }
      : { low: lowest, high: { bytes: key, after: op === "lte" } };
  return { intervals: [interval], points: false };
}

/** The values that both allow. Only for a field that never held an array: there each condition may be met by another element. */
export function intersect(a: Bounds, b: Bounds): Bounds {
  const intervals: Interval[] = [];
  for (const left of a.intervals) {
    for (const right of b.intervals) {
      const low = comparePlaces(left.low, right.low) >= 0 ? left.low : right.low;
      const high = comparePlaces(left.high, right.high) <= 0 ? left.high : right.high;
      if (comparePlaces(low, high) < 0) intervals.push({ low, high });
    }
  }
  return { intervals, points: a.points || b.points };
}

function comparePlaces(a: Place, b: Place): number {
  return ascending(a).compare(ascending(b));
}

const AFTER = Buffer.from([0xff]);

/** The place as the least byte string beyond it. */
export function ascending(place: Place): Buffer {
  return place.after ? Buffer.concat([place.bytes, AFTER]) : place.bytes;
}

/** An interval of values as a range of the index's bytes (start inclusive, end exclusive), after a prefix. */
export function byteRange(
  prefix: Buffer,
  interval: Interval,
  descending: boolean,
): { start: Buffer; end: Buffer } {
  if (!descending) {
    return {
      start: Buffer.concat([prefix, ascending(interval.low)]),
      end: Buffer.concat([prefix, ascending(interval.high)]),
    };
  }
  return {
    start: Buffer.concat([prefix, ascending(turned(interval.high))]),
    end: Buffer.concat([prefix, ascending(turned(interval.low))]),
  };
}

function turned(place: Place): Place {
  return { bytes: Buffer.from(place.bytes.map((byte) => ~byte)), after: !place.after };
}

/** The whole index. */
export const EVERYTHING: Interval = {
  low: { bytes: Buffer.alloc(0), after: false },
  high: { bytes: Buffer.alloc(0), after: true },
};

/** The bytes of a single value in an index field. */
export function pointBytes(interval: Interval, descending: boolean): Buffer {
  return descending ? turned(interval.low).bytes : interval.low.bytes;
}
