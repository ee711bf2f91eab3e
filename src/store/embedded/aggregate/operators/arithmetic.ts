import { calculate, type Operation } from "../../bson/arithmetic.ts";
import { toDouble } from "../../bson/numbers.ts";
import {
  DateTime,
  DecimalValue,
  Int32,
  isNumeric,
  type NumericValue,
  typeName,
  type Value,
} from "../../bson/values.ts";
import { CommandError, notImplemented } from "../../errors.ts";
import type { OperatorParser } from "../scope.ts";
import { isNullish, operands, wholeNumber } from "./helpers.ts";

/** Unlike in updates an int64 that would overflow becomes a double. */
export function calculateWide(operation: Operation, a: NumericValue, b: NumericValue): NumericValue {
  return calculate(operation, a, b) ?? (calculate(operation, toDouble(a), toDouble(b)) as number);
}

function add(values: readonly (Value | undefined)[]): Value | undefined {
  if (values.some(isNullish)) return null;
  let sum: NumericValue = new Int32(0);
  let dates = 0;
  for (const value of values) {
    if (value instanceof DateTime) {
      if (++dates > 1) throw new CommandError(16612, "only one date allowed in an $add expression");
      sum = calculateWide("add", sum, BigInt(value.ms));
    } else if (isNumeric(value)) sum = calculateWide("add", sum, value);
    else throw new CommandError(14, `$add only supports numeric or date types, not ${typeName(value)}`);
  }
  return dates === 0 ? sum : new DateTime(Math.round(toDouble(sum)));
}

function subtract([a, b]: readonly (Value | undefined)[]): Value | undefined {
  if (isNullish(a) || isNullish(b)) return null;
  if (isNumeric(a) && isNumeric(b)) return calculateWide("subtract", a, b);
  if (a instanceof DateTime && b instanceof DateTime) return BigInt(a.ms) - BigInt(b.ms);
  if (a instanceof DateTime && isNumeric(b)) return new DateTime(Math.round(a.ms - toDouble(b)));
  throw new CommandError(14, `can't $subtract ${typeName(b)} from ${typeName(a)}`);
}

function multiply(values: readonly (Value | undefined)[]): Value | undefined {
  if (values.some(isNullish)) return null;
  let product: NumericValue = new Int32(1);
  for (const value of values) {
    if (!isNumeric(value))
      throw new CommandError(14, `$multiply only supports numeric types, not ${typeName(value)}`);
    product = calculateWide("multiply", product, value);
  }
  return product;
}

function divide([a, b]: readonly (Value | undefined)[]): Value | undefined {
  if (isNullish(a) || isNullish(b)) return null;
  if (!isNumeric(a) || !isNumeric(b)) {
    throw new CommandError(14, `$divide only supports numeric types, not ${typeName(a)} and ${typeName(b)}`);
  }
  refuseDecimal(a, b);
  if (toDouble(b) === 0) throw new CommandError(2, "can't $divide by zero");
  return toDouble(a) / toDouble(b);
}

function modulo([a, b]: readonly (Value | undefined)[]): Value | undefined {
  if (isNullish(a) || isNullish(b)) return null;
  if (!isNumeric(a) || !isNumeric(b)) {
    throw new CommandError(16611, `$mod only supports numeric types, not ${typeName(a)} and ${typeName(b)}`);
  }
  refuseDecimal(a, b);
  if (toDouble(b) === 0) throw new CommandError(16610, "can't $mod by zero");
  if (typeof a === "number" || typeof b === "number") return toDouble(a) % toDouble(b);
  if (a instanceof Int32 && b instanceof Int32) return new Int32((a.value % b.value) | 0);
  return BigInt(toBigint(a)) % toBigint(b);
}

function toBigint(value: NumericValue): bigint {
  return typeof value === "bigint" ? value : BigInt(toDouble(value));
}

function refuseDecimal(...values: NumericValue[]): void {
  if (values.some((value) => value instanceof DecimalValue)) throw notImplemented("arithmetic on Decimal128");
}

/** An operator on one number that keeps its type. */
function onOne(change: (value: number) => number): OperatorParser {
  return operands(1, 1, ([value], name) => {
    if (isNullish(value)) return null;
    if (!isNumeric(value))
      throw new CommandError(28765, `${name} only supports numeric types, not ${typeName(value)}`);
    refuseDecimal(value);
    if (typeof value === "number") return change(value);
    if (value instanceof Int32) {
      const result = change(value.value);
      return result > 0x7fffffff ? BigInt(result) : new Int32(result);
    }
    return name === "$abs" && typeof value === "bigint" && value < 0n ? -value : value;
  });
}

function rounded(round: (value: number) => number): OperatorParser {
  return operands(1, 2, ([value, places], name) => {
    if (isNullish(value)) return null;
    if (!isNumeric(value))
      throw new CommandError(51081, `${name} only supports numeric types, not ${typeName(value)}`);
    refuseDecimal(value);
    const digits = isNullish(places) ? 0 : wholeNumber(places, name, 51082);
    if (digits >= 0 && typeof value !== "number") return value;
    if (typeof value !== "number") throw notImplemented(`${name} of a whole number to tens`);
    if (!Number.isFinite(value)) return value;
    const scale = 10 ** digits;
    const scaled = round(value * scale) / scale;
    return Number.isFinite(scaled) ? scaled : value;
  });
}

/** Half to even, as MongoDB rounds. */
function roundEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

export const ARITHMETIC_OPERATORS: readonly [string, OperatorParser][] = [
  ["$add", operands(0, Infinity, add)],
  ["$subtract", operands(2, 2, subtract)],
  ["$multiply", operands(0, Infinity, multiply)],
  ["$divide", operands(2, 2, divide)],
  ["$mod", operands(2, 2, modulo)],
  ["$abs", onOne(Math.abs)],
  ["$ceil", onOne(Math.ceil)],
  ["$floor", onOne(Math.floor)],
  ["$round", rounded(roundEven)],
  ["$trunc", rounded(Math.trunc)],
];
