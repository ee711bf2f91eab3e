import { Int32, type NumericValue } from "./values.ts";

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** The nearest double: for arithmetic with doubles, not for comparison. */
export function toDouble(value: NumericValue): number {
  return value instanceof Int32 ? value.value : Number(value);
}

/**
 * MongoDB's sum: two int32 give an int32 or, where it does not fit, an int64; any double gives a double.
 * Undefined when an int64 would overflow.
 */
export function addNumbers(a: NumericValue, b: NumericValue): NumericValue | undefined {
  if (typeof a === "number" || typeof b === "number") return toDouble(a) + toDouble(b);
  const sum = whole(a) + whole(b);
  if (a instanceof Int32 && b instanceof Int32 && sum >= -0x80000000n && sum <= 0x7fffffffn) {
    return new Int32(Number(sum));
  }
  return sum >= INT64_MIN && sum <= INT64_MAX ? sum : undefined;
}

function whole(value: bigint | Int32): bigint {
  return value instanceof Int32 ? BigInt(value.value) : value;
}

/** Order of numbers of all types by exact value, as MongoDB sorts them: NaN is below everything and equals itself. */
export function compareNumbers(a: NumericValue, b: NumericValue): number {
  const left = a instanceof Int32 ? a.value : a;
  const right = b instanceof Int32 ? b.value : b;
  if (left < right) return -1;
  if (left > right) return 1;
  const leftNaN = Number.isNaN(left);
  const rightNaN = Number.isNaN(right);
  return leftNaN === rightNaN ? 0 : leftNaN ? -1 : 1;
}

/** The greatest double that is not above `value`, and the rest of an int64 beyond it. */
export function floorToDouble(value: NumericValue): { double: number; rest: bigint } {
  if (typeof value !== "bigint") return { double: toDouble(value), rest: 0n };
  let double = Number(value);
  if (BigInt(double) > value) double = nextBelow(double);
  return { double, rest: value - BigInt(double) };
}

function nextBelow(value: number): number {
  const bits = Buffer.allocUnsafe(8);
  bits.writeDoubleBE(value);
  bits.writeBigInt64BE(bits.readBigInt64BE() + (value > 0 ? -1n : 1n));
  return bits.readDoubleBE();
}
