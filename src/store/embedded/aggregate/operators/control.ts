import type { Doc, Value } from "../../bson/values.ts";
import { CommandError } from "../../errors.ts";
import { truthy } from "../../query/matches.ts";
import { bind, type Evaluate, type OperatorParser, withVariables } from "../scope.ts";
import { isNullish, namedOperands, wrongCount } from "./helpers.ts";

const cond: OperatorParser = (operand, context, parse) => {
  let list: readonly Value[];
  if (operand instanceof Map) {
    const named = new Map(operand);
    for (const field of named.keys()) {
      if (!["if", "then", "else"].includes(field)) {
        throw new CommandError(17083, `Unrecognized parameter to $cond: ${field}`);
      }
    }
    for (const [at, field] of ["if", "then", "else"].entries()) {
      if (!named.has(field)) throw new CommandError(17080 + at, `Missing '${field}' parameter to $cond`);
    }
    list = ["if", "then", "else"].map((field) => named.get(field) as Value);
  } else {
    list = Array.isArray(operand) ? operand : [operand];
    if (list.length !== 3) throw wrongCount("$cond", 3, 3, list.length);
  }
  const [test, yes, no] = list.map((item) => parse(item, context)) as [Evaluate, Evaluate, Evaluate];
  return (scope) => (truthy(test(scope)) ? yes(scope) : no(scope));
};

const ifNull: OperatorParser = (operand, context, parse) => {
  const list = Array.isArray(operand) ? operand : [operand];
  if (list.length < 2)
    throw new CommandError(1257300, `$ifNull needs at least two arguments, had: ${list.length}`);
  const parsed = list.map((item) => parse(item, context));
  return (scope) => {
    let value: Value | undefined;
    for (const item of parsed) {
      value = item(scope);
      if (!isNullish(value)) return value;
    }
    return value;
  };
};

const switchOperator: OperatorParser = (operand, context, parse) => {
  if (!(operand instanceof Map)) throw new CommandError(40060, "$switch requires an object as an argument");
  const given = operand.get("branches");
  if (!Array.isArray(given)) throw new CommandError(40061, "$switch expected an array for 'branches'");
  const branches = given.map((branch) => {
    const parts = branch instanceof Map ? branch : new Map<string, Value>();
    if (!parts.has("case"))
      throw new CommandError(40066, "$switch found a branch without a 'case' expression");
    if (!parts.has("then"))
      throw new CommandError(40067, "$switch found a branch without a 'then' expression");
    return {
      test: parse(parts.get("case") ?? null, context),
      result: parse(parts.get("then") ?? null, context),
    };
  });
  const otherwise = operand.has("default") ? parse(operand.get("default") ?? null, context) : undefined;
  return (scope) => {
    const branch = branches.find(({ test }) => truthy(test(scope)));
    if (branch !== undefined) return branch.result(scope);
    if (otherwise !== undefined) return otherwise(scope);
    throw new CommandError(
      40069,
      "$switch could not find a matching branch for an input, and no default was specified.",
    );
  };
};

const letOperator: OperatorParser = (operand, context, parse) => {
  const named = namedOperands(operand, "$let", ["vars", "in"], []);
  const vars = named.get("vars");
  if (!(vars instanceof Map)) throw new CommandError(10065, "invalid parameter: expected an object (vars)");
  const bound = [...vars].map(([name, value]) => [variableName(name), parse(value, context)] as const);
  const body = parse(named.get("in") ?? null, withVariables(context, vars.keys()));
  return (scope) =>
    body(
      bind(
        scope,
        bound.map(([name, evaluate]) => [name, evaluate(scope)] as const),
      ),
    );
};

export function variableName(name: string): string {
  if (!/^[a-z\u0080-\uffff][\w\u0080-\uffff]*$/.test(name) && name !== "CURRENT") {
    throw new CommandError(9, `'${name}' starts with an invalid character for a user variable name`);
  }
  return name;
}

const literal: OperatorParser = (operand) => () => operand;

const mergeObjects: OperatorParser = (operand, context, parse) => {
  const parsed = (Array.isArray(operand) ? operand : [operand]).map((item) => parse(item, context));
  return (scope) =>
    mergeAll(
      parsed
        .map((item) => item(scope))
        .flatMap((value) => (Array.isArray(value) && parsed.length === 1 ? value : [value])),
    );
};

export function mergeAll(values: readonly (Value | undefined)[]): Doc {
  const result: Doc = new Map();
  for (const value of values) {
    if (isNullish(value)) continue;
    if (!(value instanceof Map)) throw new CommandError(40400, "$mergeObjects requires object inputs");
    for (const [name, field] of value) result.set(name, field);
  }
  return result;
}

const getField: OperatorParser = (operand, context, parse) => {
  const named =
    operand instanceof Map && operand.has("field") ? operand : new Map<string, Value>([["field", operand]]);
  const field = parse(named.get("field") ?? null, context);
  const input = parse(named.get("input") ?? "$$CURRENT", context);
  return (scope) => {
    const name = field(scope);
    if (typeof name !== "string")
      throw new CommandError(3041704, "$getField requires 'field' to evaluate to type String");
    const value = input(scope);
    if (value === null) return null;
    return value instanceof Map ? value.get(name) : undefined;
  };
};

export const CONTROL_OPERATORS: readonly [string, OperatorParser][] = [
  ["$cond", cond],
  ["$ifNull", ifNull],
  ["$switch", switchOperator],
  ["$let", letOperator],
  ["$literal", literal],
  ["$const", literal],
  ["$mergeObjects", mergeObjects],
  ["$getField", getField],
];
