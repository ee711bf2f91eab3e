/** What an index can say about a condition: ranges of encoded values. */
import { encodeKey, RANK, typeRank } from "../bson/key.ts";
import { Marker, RegexValue, UNDEFINED, type Value } from "../bson/values.ts";
import type { FieldTest } from "./filter.ts";
import { isNaNValue } from "./matches.ts";

/** A place between keys: just before, or just after, all keys that begin with `bytes` (of an ascending field). */
export interface Place {
  bytes: Buffer;
  after: boolean;
}

export interface Interval {
  low: Place;
  high: Place;
}

export interface Bounds {
  intervals: Interval[];
  /** Every interval is one value. */
  points: boolean;
  /** The intervals say all that the condition says (where no array was indexed). */
  exact: boolean;
  /** No interval holds null: the field is present in every document found. */
  excludesNull: boolean;
}

/** The bounds of a condition, or undefined when an index is of no use for it. */
export function boundsOf(test: FieldTest, multikey: boolean): Bounds | undefined {
  switch (test.op) {
    case "eq":
      return isPlain(test.value) ? points([test.value], multikey) : undefined;
    case "in":
      if (test.regexes.length > 0 || !test.values.every(isPlain)) return undefined;
      return points(test.values, multikey);
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return range(test.op, test.value, multikey);
    default:
      return undefined;
  }
}

/** Arrays match as a whole or by element, expressions match otherwise: both are left to the matcher. */
function isPlain(value: Value): boolean {
  return !Array.isArray(value) && !(value instanceof RegexValue) && value !== UNDEFINED;
}

function points(values: readonly Value[], multikey: boolean): Bounds {
  const keys = values.map(encodeKey);
  const hasNull = values.includes(null);
  // An empty array is indexed as undefined, and null may lie in an array's documents.
  if (hasNull && multikey) keys.push(encodeKey(UNDEFINED));
  keys.sort((a, b) => a.compare(b));
  return {
    intervals: keys.map(point),
    points: true,
    exact: true,
    excludesNull: !hasNull,
  };
}

function point(bytes: Buffer): Interval {
  return { low: { bytes, after: false }, high: { bytes, after: true } };
}

function range(op: "gt" | "gte" | "lt" | "lte", value: Value, multikey: boolean): Bounds | undefined {
  if (value instanceof Marker || !isPlain(value)) return undefined;
  if (value === null) return op === "gte" || op === "lte" ? points([null], multikey) : undefined;
  if (isNaNValue(value)) return undefined;
  const rank = typeRank(value);
  const key = encodeKey(value);
  // NaN lies below all numbers in the order, but is neither less nor more than any.
  const lowest =
    rank === RANK.number
      ? { bytes: encodeKey(Number.NaN), after: true }
      : { bytes: Buffer.from([rank]), after: false };
  const highest = { bytes: Buffer.from([rank]), after: true };
  const interval: Interval =
    op === "gt" || op === "gte"
      ? { low: { bytes: key, after: op === "gt" }, high: highest }
      : { low: lowest, high: { bytes: key, after: op === "lte" } };
  return { intervals: [interval], points: false, exact: true, excludesNull: true };
}

/** What both allow. Only for a field that never held an array: there each condition may be met by another element. */
export function intersect(a: Bounds, b: Bounds): Bounds {
  const intervals: Interval[] = [];
  for (const left of a.intervals) {
    for (const right of b.intervals) {
      const low = comparePlaces(left.low, right.low) >= 0 ? left.low : right.low;
      const high = comparePlaces(left.high, right.high) <= 0 ? left.high : right.high;
      if (comparePlaces(low, high) < 0) intervals.push({ low, high });
    }
  }
  return {
    intervals,
    points: a.points || b.points,
    exact: a.exact && b.exact,
    excludesNull: a.excludesNull || b.excludesNull,
  };
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
