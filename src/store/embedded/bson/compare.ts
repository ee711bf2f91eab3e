import { encodeKey, RANK, typeRank } from "./key.ts";
import { compareNumbers } from "./numbers.ts";
import type { DateTime, Doc, NumericValue, ObjectIdValue, Value } from "./values.ts";

/** MongoDB's order of any two values: negative, 0 or positive. */
export function compareValues(a: Value, b: Value): number {
  const rank = typeRank(a);
  const other = typeRank(b);
  if (rank !== other) return rank - other;
  switch (rank) {
    case RANK.number:
      return compareNumbers(a as NumericValue, b as NumericValue);
    case RANK.string:
      return typeof a === "string" && typeof b === "string" ? compareText(a, b) : compareEncoded(a, b);
    case RANK.date:
      return (a as DateTime).ms - (b as DateTime).ms;
    case RANK.objectId:
      return (a as ObjectIdValue).bytes.compare((b as ObjectIdValue).bytes);
    case RANK.boolean:
      return Number(a) - Number(b);
    case RANK.array:
      return compareArrays(a as Value[], b as Value[]);
    case RANK.object:
      return compareDocs(a as Doc, b as Doc);
    default:
      return compareEncoded(a, b);
  }
}

export function equalValues(a: Value, b: Value): boolean {
  return compareValues(a, b) === 0;
}

function compareEncoded(a: Value, b: Value): number {
  return encodeKey(a).compare(encodeKey(b));
}

/** Order of the UTF-8 bytes, which is that of code points and not that of JavaScript's UTF-16 units. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) {
      const surrogates = Number(isSurrogate(left)) - Number(isSurrogate(right));
      return surrogates !== 0 ? surrogates : left - right;
    }
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function compareArrays(a: readonly Value[], b: readonly Value[]): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const order = compareValues(a[index] as Value, b[index] as Value);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareDocs(a: Doc, b: Doc): number {
  const right = b.entries();
  for (const [name, value] of a) {
    const next = right.next();
    if (next.done) return 1;
    const [otherName, otherValue] = next.value;
    const order =
      typeRank(value) - typeRank(otherValue) ||
      compareText(name, otherName) ||
      compareValues(value, otherValue);
    if (order !== 0) return order;
  }
  return right.next().done ? 0 : -1;
}
