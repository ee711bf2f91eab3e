import { Decimal128 } from "bson";
import { DecimalValue, Int32, type NumericValue } from "./values.ts";

/** An exact decimal number: digits * 10^-scale. */
interface Exact {
  digits: bigint;
  scale: number;
}

/** The greatest double that is not above `value`, and what `value` has beyond it (undefined when nothing). */
export function floorToDouble(value: NumericValue): { double: number; rest: Exact | undefined } {
  if (typeof value === "number") return { double: value, rest: undefined };
  if (value instanceof Int32) return { double: value.value, rest: undefined };
  if (typeof value === "bigint") return floorExact({ digits: value, scale: 0 }, Number(value));
  const text = decimalText(value);
  const nearest = Number(text);
  if (Number.isNaN(nearest) || text.endsWith("Infinity")) return { double: nearest, rest: undefined };
  return floorExact(parseExact(text), nearest);
}

export function decimalText(value: DecimalValue): string {
  return new Decimal128(value.bytes).toString();
}

/** The nearest double: good for arithmetic with doubles, not for comparing. */
export function toDouble(value: NumericValue): number {
  if (typeof value === "number") return value;
  if (value instanceof Int32) return value.value;
  return typeof value === "bigint" ? Number(value) : Number(decimalText(value));
}

/** Order of numbers of all types by exact value, as MongoDB sorts them: NaN is below everything and equals itself. */
export function compareNumbers(a: NumericValue, b: NumericValue): number {
  if (a instanceof DecimalValue || b instanceof DecimalValue) return compareByParts(a, b);
  const left = a instanceof Int32 ? a.value : a;
  const right = b instanceof Int32 ? b.value : b;
  if (left < right) return -1;
  if (left > right) return 1;
  const leftNaN = Number.isNaN(left);
  const rightNaN = Number.isNaN(right);
  return leftNaN === rightNaN ? 0 : leftNaN ? -1 : 1;
}

function compareByParts(a: NumericValue, b: NumericValue): number {
  const left = floorToDouble(a);
  const right = floorToDouble(b);
  const order = compareNumbers(left.double, right.double);
  if (order !== 0) return order;
  if (left.rest === undefined || right.rest === undefined) {
    return Number(left.rest !== undefined) - Number(right.rest !== undefined);
  }
  const scale = Math.max(left.rest.scale, right.rest.scale);
  const difference = atScale(left.rest, scale) - atScale(right.rest, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function floorExact(exact: Exact, nearest: number): { double: number; rest: Exact | undefined } {
  // A decimal128 can be far below every double: its rest is then counted from a number below all of them.
  if (nearest === -Infinity)
    return { double: -Infinity, rest: add(exact, { digits: 10n ** 6200n, scale: 0 }) };
  let double = nearest === Infinity ? Number.MAX_VALUE : nearest;
  let rest = subtract(exact, exactDouble(double));
  if (rest.digits < 0n) {
    double = nextBelow(double);
    rest = subtract(exact, exactDouble(double));
  }
  return { double, rest: rest.digits === 0n ? undefined : rest };
}

function parseExact(text: string): Exact {
  const match = /^(-?)(\d*)\.?(\d*)(?:E([+-]?\d+))?$/i.exec(text);
  if (match === null) throw new Error(`not a decimal number: ${text}`);
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** Every finite double is a terminating decimal. */
function exactDouble(value: number): Exact {
  if (Number.isInteger(value)) return { digits: BigInt(value), scale: 0 };
  const bits = Buffer.allocUnsafe(8);
  bits.writeDoubleBE(value);
  const high = bits.readUInt32BE(0);
  const biased = (high >>> 20) & 0x7ff;
  const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(bits.readUInt32BE(4));
  const mantissa = biased === 0 ? fraction : fraction | (1n << 52n);
  const power = 1075 - Math.max(biased, 1);
  const digits = mantissa * 5n ** BigInt(power);
  return { digits: value < 0 ? -digits : digits, scale: power };
}

function nextBelow(value: number): number {
  if (value === 0) return -Number.MIN_VALUE;
  const bits = Buffer.allocUnsafe(8);
  bits.writeDoubleBE(value);
  bits.writeBigInt64BE(bits.readBigInt64BE() + (value > 0 ? -1n : 1n));
  return bits.readDoubleBE();
}

function atScale(value: Exact, scale: number): bigint {
  return value.digits * 10n ** BigInt(scale - value.scale);
}

function add(a: Exact, b: Exact): Exact {
  const scale = Math.max(a.scale, b.scale);
  return { digits: atScale(a, scale) + atScale(b, scale), scale };
}

function subtract(a: Exact, b: Exact): Exact {
  return add(a, { digits: -b.digits, scale: b.scale });
}
