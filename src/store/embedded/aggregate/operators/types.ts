import { toDouble } from "../../bson/numbers.ts";
import {
  DateTime,
  DecimalValue,
  Int32,
  isNumeric,
  ObjectIdValue,
  typeName,
  type Value,
} from "../../bson/values.ts";
import { CommandError, notImplemented } from "../../errors.ts";
import { truthy } from "../../query/matches.ts";
import type { OperatorParser } from "../scope.ts";
import { isNullish, operands } from "./helpers.ts";
import { stringOf } from "./to-string.ts";

function conversion(convert: (value: Value) => Value): OperatorParser {
  return operands(1, 1, ([value]) => (isNullish(value) ? null : convert(value)));
}

function failed(value: Value, target: string): CommandError {
  return new CommandError(
    241,
    `Unsupported conversion from ${typeName(value)} to ${target} in $convert with no onError value`,
  );
}

function numeric(value: Value, target: string): number {
  if (value instanceof DecimalValue) throw notImplemented("conversion of Decimal128");
  if (typeof value === "boolean") return Number(value);
  if (isNumeric(value)) return toDouble(value);
  if (value instanceof DateTime && target !== "int") return value.ms;
  if (typeof value === "string" && /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value)) {
    if (target === "double" || /^[+-]?\d+$/.test(value)) return Number(value);
  }
  if (typeof value === "string") {
    throw new CommandError(241, `Failed to parse number '${value}' in $convert with no onError value`);
  }
  throw failed(value, target);
}

function toInt(value: Value): Value {
  const whole = Math.trunc(numeric(value, "int"));
  if (!(whole >= -0x80000000 && whole <= 0x7fffffff)) {
    throw new CommandError(
      241,
      `Conversion would overflow target type in $convert with no onError value: ${whole}`,
    );
  }
  return new Int32(whole);
}

function toLong(value: Value): Value {
  if (typeof value === "bigint") return value;
  if (typeof value === "string" && /^[+-]?\d+$/.test(value)) return inInt64(BigInt(value));
  const whole = Math.trunc(numeric(value, "long"));
  if (!Number.isFinite(whole))
    throw new CommandError(
      241,
      "Attempt to convert NaN or infinity value to integer type in $convert with no onError value",
    );
  return inInt64(BigInt(whole));
}

function inInt64(value: bigint): bigint {
  if (value === BigInt.asIntN(64, value)) return value;
  throw new CommandError(
    241,
    `Conversion would overflow target type in $convert with no onError value: ${value}`,
  );
}

function toDate(value: Value): Value {
  if (value instanceof DateTime) return value;
  if (value instanceof ObjectIdValue) return new DateTime(value.bytes.readUInt32BE(0) * 1000);
  if (typeof value === "string") {
    if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(value)) {
      throw notImplemented("$toDate of this form of date");
    }
    const zoned = /T/.test(value) && !/(Z|[+-]\d\d:?\d\d)$/.test(value) ? `${value}Z` : value;
    return new DateTime(Date.parse(zoned));
  }
  if (value instanceof Int32 || !isNumeric(value)) throw failed(value, "date");
  return new DateTime(Math.trunc(toDouble(value)));
}

export const TYPE_OPERATORS: readonly [string, OperatorParser][] = [
  ["$type", operands(1, 1, ([value]) => typeName(value))],
  ["$isNumber", operands(1, 1, ([value]) => isNumeric(value))],
  ["$toString", conversion((value) => stringOf(value))],
  ["$toInt", conversion(toInt)],
  ["$toLong", conversion(toLong)],
  ["$toDouble", conversion((value) => numeric(value, "double"))],
  ["$toBool", conversion((value) => truthy(value))],
  ["$toDate", conversion(toDate)],
];
