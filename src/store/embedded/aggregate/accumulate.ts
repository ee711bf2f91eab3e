import { compareValues } from "../bson/compare.ts";
import { toDouble } from "../bson/numbers.ts";
import { DecimalValue, Int32, isNumeric, type NumericValue, type Value } from "../bson/values.ts";
import { notImplemented } from "../errors.ts";
import { calculateWide } from "./operators/arithmetic.ts";
import { isNullish } from "./operators/helpers.ts";

/** The sum of what is a number; other values do not count. */
export function total(values: Iterable<Value | undefined>): NumericValue {
  let sum: NumericValue = new Int32(0);
  for (const value of values) if (isNumeric(value)) sum = calculateWide("add", sum, value);
  return sum;
}

/** Null when there is no number. */
export function average(values: Iterable<Value | undefined>): Value {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    if (!isNumeric(value)) continue;
    if (value instanceof DecimalValue) throw notImplemented("arithmetic on Decimal128");
    sum += toDouble(value);
    count++;
  }
  return count === 0 ? null : sum / count;
}

/** The least (-1) or greatest (1) value; null and missing do not count. */
export function extreme(values: Iterable<Value | undefined>, sign: 1 | -1): Value {
  let best: Value | undefined;
  for (const value of values) {
    if (isNullish(value)) continue;
    if (best === undefined || compareValues(value, best) * sign > 0) best = value;
  }
  return best ?? null;
}
