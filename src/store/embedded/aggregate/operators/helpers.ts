import { toDouble } from "../../bson/numbers.ts";
import { isNumeric, Marker, typeName, type Value } from "../../bson/values.ts";
import { CommandError } from "../../errors.ts";
import type { OperatorParser } from "../scope.ts";

/** An operator whose operands are a fixed or limited number of expressions; one alone may stand without brackets. */
export function operands(
  least: number,
  most: number,
  evaluate: (values: (Value | undefined)[], name: string) => Value | undefined,
): OperatorParser {
  return (operand, context, parse, name) => {
    const list = Array.isArray(operand) ? operand : [operand];
    if (list.length < least || list.length > most) throw wrongCount(name, least, most, list.length);
    const parsed = list.map((item) => parse(item, context));
    return (scope) =>
      evaluate(
        parsed.map((item) => item(scope)),
        name,
      );
  };
}

export function wrongCount(name: string, least: number, most: number, given: number): CommandError {
  if (least === most) {
    return new CommandError(
      16020,
      `Expression ${name} takes exactly ${least} arguments. ${given} were passed in.`,
    );
  }
  return new CommandError(
    28667,
    `Expression ${name} takes at least ${least} arguments, and at most ${most}, but ${given} were passed in.`,
  );
}

/** Missing, null or undefined. */
export function isNullish(value: Value | undefined): value is undefined | null {
  return value === undefined || value === null || (value instanceof Marker && value.kind === "undefined");
}

/** The operand of an operator that takes named arguments. */
export function namedOperands(
  operand: Value,
  name: string,
  required: readonly string[],
  optional: readonly string[],
): Map<string, Value> {
  if (!(operand instanceof Map)) {
    throw new CommandError(28646, `${name} only supports an object as its argument`);
  }
  for (const field of operand.keys()) {
    if (!required.includes(field) && !optional.includes(field)) {
      throw new CommandError(28647, `Unrecognized parameter to ${name}: ${field}`);
    }
  }
  for (const field of required) {
    if (!operand.has(field)) throw new CommandError(28648, `Missing '${field}' parameter to ${name}`);
  }
  return operand;
}

/** A whole number out of a value that must be one. */
export function wholeNumber(value: Value, name: string, code = 28690): number {
  const number = isNumeric(value) ? toDouble(value) : Number.NaN;
  if (!Number.isInteger(number)) {
    throw new CommandError(
      code,
      `${name} requires an integral argument, found a value of type: ${typeName(value)}`,
    );
  }
  return number;
}
