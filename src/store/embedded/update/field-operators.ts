import { calculate } from "../bson/arithmetic.ts";
import { compareValues } from "../bson/compare.ts";
import { shellText } from "../bson/shell-text.ts";
import {
  DateTime,
  type Doc,
  Int32,
  isNumeric,
  type NumericValue,
  TimestampValue,
  typeName,
  type Value,
} from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import type { Change } from "./array-operators.ts";
import type { Target } from "./paths.ts";

/** A change that counts as one when the document has changed. */
function plain(change: (target: Target, path: string, root: Doc) => void): Change {
  return (target, path, root) => {
    change(target, path, root);
    return undefined;
  };
}

export function parseSet(operand: Value): Change {
  return plain((target) => target.set(operand));
}

export function parseArithmetic(operator: "$inc" | "$mul", operand: Value, path: string): Change {
  if (!isNumeric(operand)) {
    const verb = operator === "$inc" ? "increment" : "multiply";
    throw new CommandError(14, `Cannot ${verb} with non-numeric argument: {${path}: ${shellText(operand)}}`);
  }
  return (target, fullPath, root) => {
    const { value } = target;
    if (value === undefined) {
      target.set(operator === "$inc" ? operand : zeroLike(operand));
      return undefined;
    }
    if (!isNumeric(value)) {
      throw new CommandError(
        14,
        `Cannot apply ${operator} to a value of non-numeric type. {_id: ${shellText(root.get("_id") ?? null)}} has the field '${fullPath.split(".").at(-1)}' of non-numeric type ${typeName(value)}`,
      );
    }
    const result = calculate(operator === "$inc" ? "add" : "multiply", value, operand);
    if (result === undefined) {
      throw new CommandError(
        2,
        `Failed to apply ${operator} operations to current value (${numberText(value)}) for document {_id: ${shellText(root.get("_id") ?? null)}}`,
      );
    }
    target.set(result);
    // NaN is not equal to itself, so MongoDB holds it for changed.
    return Number.isNaN(result) ? "counts" : undefined;
  };
}

function numberText(value: NumericValue): string {
  const kind =
    typeof value === "bigint" ? "NumberLong" : value instanceof Int32 ? "NumberInt" : "NumberDouble";
  return `(${kind})${shellText(value)}`;
}

function zeroLike(value: NumericValue): NumericValue {
  return calculate("multiply", value, new Int32(0)) ?? 0;
}

export function parseExtreme(operator: "$min" | "$max", operand: Value): Change {
  return plain((target) => {
    if (target.value === undefined) {
      target.set(operand);
      return;
    }
    const order = compareValues(operand, target.value);
    if (operator === "$min" ? order < 0 : order > 0) target.set(operand);
  });
}

export function parseCurrentDate(operand: Value, now: () => number): Change {
  const kind = operand instanceof Map ? operand.get("$type") : operand;
  if (!(operand instanceof Map) && typeof operand !== "boolean") {
    throw new CommandError(
      2,
      `${typeName(operand)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
    );
  }
  if (kind !== "date" && kind !== "timestamp" && typeof kind !== "boolean") {
    throw new CommandError(
      2,
      "The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}",
    );
  }
  return plain((target) => {
    const ms = now();
    target.set(
      kind === "timestamp"
        ? new TimestampValue((BigInt(Math.floor(ms / 1000)) << 32n) | 1n)
        : new DateTime(ms),
    );
  });
}

export function parseBit(operand: Value): Change {
  if (!(operand instanceof Map)) {
    throw new CommandError(
      2,
      `The $bit modifier is not compatible with a ${typeName(operand)}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`,
    );
  }
  return plain((target, path) => {
    for (const [name, mask] of operand) {
      if (!["and", "or", "xor"].includes(name)) {
        throw new CommandError(
          2,
          `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator: {${name}: ${shellText(mask)}}`,
        );
      }
      const current = target.value === undefined ? new Int32(0) : target.value;
      if (!isWhole(mask)) {
        throw new CommandError(
          2,
          `The $bit modifier field must be an Integer(32/64 bit); a '${typeName(mask)}' is not supported here: {${name}: ${shellText(mask)}}`,
        );
      }
      if (!isWhole(current)) {
        throw new CommandError(
          2,
          `Cannot apply $bit to a value of non-integral type.${path} has the field of non-integer type ${typeName(current)}`,
        );
      }
      const [a, b] = [toBigint(current), toBigint(mask)];
      const result = name === "and" ? a & b : name === "or" ? a | b : a ^ b;
      target.value = current instanceof Int32 && mask instanceof Int32 ? new Int32(Number(result)) : result;
    }
    if (target.value !== undefined) target.set(target.value);
  });
}

function isWhole(value: Value): value is bigint | Int32 {
  return typeof value === "bigint" || value instanceof Int32;
}

function toBigint(value: bigint | Int32): bigint {
  return value instanceof Int32 ? BigInt(value.value) : value;
}
