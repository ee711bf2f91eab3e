import { notImplemented } from "../errors.ts";
import { DecimalValue, Int32, type NumericValue } from "./values.ts";

export type Operation = "add" | "subtract" | "multiply";

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/**
 * MongoDB's arithmetic: two int32 give an int32 or, where it does not fit, an int64; any double gives a double.
 * Undefined when an int64 would overflow.
 */
export function calculate(operation: Operation, a: NumericValue, b: NumericValue): NumericValue | undefined {
  if (a instanceof DecimalValue || b instanceof DecimalValue)
    throw notImplemented("arithmetic on Decimal128");
  if (typeof a === "number" || typeof b === "number") return onNumbers(operation, plain(a), plain(b));
  const result = onBigints(operation, whole(a), whole(b));
  if (a instanceof Int32 && b instanceof Int32 && result >= -0x80000000n && result <= 0x7fffffffn) {
    return new Int32(Number(result));
  }
  return result >= INT64_MIN && result <= INT64_MAX ? result : undefined;
}

function plain(value: number | bigint | Int32): number {
  return value instanceof Int32 ? value.value : Number(value);
}

function whole(value: bigint | Int32): bigint {
  return value instanceof Int32 ? BigInt(value.value) : value;
}

function onNumbers(operation: Operation, a: number, b: number): number {
  return operation === "add" ? a + b : operation === "subtract" ? a - b : a * b;
}

function onBigints(operation: Operation, a: bigint, b: bigint): bigint {
  return operation === "add" ? a + b : operation === "subtract" ? a - b : a * b;
}
