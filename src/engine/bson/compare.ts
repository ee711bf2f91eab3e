import { encodeKey, RANK, typeRank } from "./key.ts";
import { compareNumbers } from "./numbers.ts";
import type { DateTime, NumericValue, Value } from "./values.ts";

/** MongoDB's order of any two values: negative, 0 or positive. */
export function compareValues(a: Value, b: Value): number {
  const rank = typeRank(a);
  const other = typeRank(b);
  if (rank !== other) return rank - other;
  switch (rank) {
    case RANK.number:
      return compareNumbers(a as NumericValue, b as NumericValue);
    case RANK.string:
      return compareText(a as string, b as string);
    case RANK.date:
      return (a as DateTime).ms - (b as DateTime).ms;
    default:
      // Keys are in the order of their values.
      return encodeKey(a).compare(encodeKey(b));
  }
}

export function equalValues(a: Value, b: Value): boolean {
  return compareValues(a, b) === 0;
}

/** Order of the UTF-8 bytes, which is the order of code points, unlike the order of JavaScript's UTF-16 units. */
function compareText(a: string, b: string): number {
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
