import { compareValues } from "../bson/compare.ts";
import { addNumbers } from "../bson/numbers.ts";
import { shellText } from "../bson/shell-text.ts";
import { Int32, isNumeric, type NumericValue, typeName, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import type { Target } from "./paths.ts";

/** Changes one field of a document; `id` is the id of the document, for error messages. */
export type Change = (target: Target, id: Value) => void;

export interface UpdateOperator {
  /** @param path of the field */
  readonly parse: (operand: Value, path: string) => Change;
  /** For documents that an upsert inserts. */
  readonly onlyInsert?: true;
  /** A missing field stays missing. */
  readonly onlyExisting?: true;
}

/** All supported operators. */
export const UPDATE_OPERATORS: ReadonlyMap<string, UpdateOperator> = new Map<string, UpdateOperator>([
  ["$set", { parse: (operand) => (target) => target.set(operand) }],
  ["$setOnInsert", { parse: (operand) => (target) => target.set(operand), onlyInsert: true }],
  ["$unset", { parse: () => (target) => target.unset(), onlyExisting: true }],
  ["$inc", { parse: parseInc }],
  ["$min", { parse: extreme((order) => order < 0) }],
  ["$max", { parse: extreme((order) => order > 0) }],
]);

function extreme(replaces: (order: number) => boolean) {
  return (operand: Value) => (target: Target) => {
    if (target.value === undefined || replaces(compareValues(operand, target.value))) target.set(operand);
  };
}

function parseInc(operand: Value, path: string): Change {
  if (!isNumeric(operand)) {
    throw new CommandError(
      14,
      `Cannot increment with non-numeric argument: {${path}: ${shellText(operand)}}`,
    );
  }
  return ({ value, set }, id) => {
    if (value === undefined) return set(operand);
    if (!isNumeric(value)) {
      throw new CommandError(
        14,
        `Cannot apply $inc to a value of non-numeric type. {_id: ${shellText(id)}} has the field '${path.split(".").at(-1)}' of non-numeric type ${typeName(value)}`,
      );
    }
    const sum = addNumbers(value, operand);
    if (sum === undefined) {
      throw new CommandError(
        2,
        `Failed to apply $inc operations to current value (${numberText(value)}) for document {_id: ${shellText(id)}}`,
      );
    }
    set(sum);
  };
}

function numberText(value: NumericValue): string {
  const kind =
    typeof value === "bigint" ? "NumberLong" : value instanceof Int32 ? "NumberInt" : "NumberDouble";
  return `(${kind})${shellText(value)}`;
}
