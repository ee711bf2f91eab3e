import { compareValues } from "../../bson/compare.ts";
import { Int32, UNDEFINED, type Value } from "../../bson/values.ts";
import { truthy } from "../../query/matches.ts";
import type { OperatorParser } from "../scope.ts";
import { operands } from "./helpers.ts";

/** Here a missing value is not equal to null, but below it; and all types compare with one another. */
export function compareOperands(a: Value | undefined, b: Value | undefined): number {
  return compareValues(a === undefined ? UNDEFINED : a, b === undefined ? UNDEFINED : b);
}

function comparison(holds: (order: number) => boolean): OperatorParser {
  return operands(2, 2, ([a, b]) => holds(compareOperands(a, b)));
}

/** $and and $or stop at the first operand that decides. */
function logical(decisive: boolean): OperatorParser {
  return (operand, context, parse) => {
    const parsed = (Array.isArray(operand) ? operand : [operand]).map((item) => parse(item, context));
    return (scope) => parsed.some((item) => truthy(item(scope)) === decisive) === decisive;
  };
}

export const COMPARISON_OPERATORS: readonly [string, OperatorParser][] = [
  ["$eq", comparison((order) => order === 0)],
  ["$ne", comparison((order) => order !== 0)],
  ["$gt", comparison((order) => order > 0)],
  ["$gte", comparison((order) => order >= 0)],
  ["$lt", comparison((order) => order < 0)],
  ["$lte", comparison((order) => order <= 0)],
  ["$cmp", operands(2, 2, ([a, b]) => new Int32(Math.sign(compareOperands(a, b))))],
  ["$and", logical(false)],
  ["$or", logical(true)],
  ["$not", operands(1, 1, ([value]) => !truthy(value))],
];
