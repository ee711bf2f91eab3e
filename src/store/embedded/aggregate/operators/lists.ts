/** Operators that evaluate an expression for each element, and accumulators used as operators. */
import { toDouble } from "../../bson/numbers.ts";
import { isNumeric, typeName, type Value } from "../../bson/values.ts";
import { CommandError } from "../../errors.ts";
import { truthy } from "../../query/matches.ts";
import { average, extreme, total } from "../accumulate.ts";
import { bind, type OperatorParser, withVariables } from "../scope.ts";
import { variableName } from "./control.ts";
import { isNullish, namedOperands } from "./helpers.ts";

function asName(operand: ReadonlyMap<string, Value>): string {
  const name = operand.get("as");
  return name === undefined ? "this" : variableName(String(name));
}

const filter: OperatorParser = (operand, context, parse) => {
  const named = namedOperands(operand, "$filter", ["input", "cond"], ["as", "limit"]);
  const name = asName(named);
  const input = parse(named.get("input") ?? null, context);
  const cond = parse(named.get("cond") ?? null, withVariables(context, [name]));
  const limit = named.has("limit") ? parse(named.get("limit") ?? null, context) : undefined;
  return (scope) => {
    const items = input(scope);
    if (isNullish(items)) return null;
    if (!Array.isArray(items))
      throw new CommandError(28651, `input to $filter must be an array not ${typeName(items)}`);
    const kept = items.filter((item) => truthy(cond(bind(scope, [[name, item]]))));
    const most = limit?.(scope);
    return isNumeric(most) ? kept.slice(0, toDouble(most)) : kept;
  };
};

const map: OperatorParser = (operand, context, parse) => {
  const named = namedOperands(operand, "$map", ["input", "in"], ["as"]);
  const name = asName(named);
  const input = parse(named.get("input") ?? null, context);
  const body = parse(named.get("in") ?? null, withVariables(context, [name]));
  return (scope) => {
    const items = input(scope);
    if (isNullish(items)) return null;
    if (!Array.isArray(items))
      throw new CommandError(16883, `input to $map must be an array not ${typeName(items)}`);
    return items.map((item) => body(bind(scope, [[name, item]])) ?? null);
  };
};

const reduce: OperatorParser = (operand, context, parse) => {
  const named = namedOperands(operand, "$reduce", ["input", "initialValue", "in"], []);
  const input = parse(named.get("input") ?? null, context);
  const initial = parse(named.get("initialValue") ?? null, context);
  const body = parse(named.get("in") ?? null, withVariables(context, ["this", "value"]));
  return (scope) => {
    const items = input(scope);
    if (isNullish(items)) return null;
    if (!Array.isArray(items))
      throw new CommandError(40080, `$reduce requires that 'input' be an array, found: ${typeName(items)}`);
    let value = initial(scope);
    for (const item of items)
      value = body(
        bind(scope, [
          ["this", item],
          ["value", value],
        ]),
      );
    return value;
  };
};

/** With one operand that is an array, its elements count; otherwise the operands themselves. */
function overValues(combine: (values: readonly (Value | undefined)[]) => Value | undefined): OperatorParser {
  return (operand, context, parse) => {
    const parsed = (Array.isArray(operand) ? operand : [operand]).map((item) => parse(item, context));
    return (scope) => {
      const values = parsed.map((item) => item(scope));
      return combine(values.length === 1 && Array.isArray(values[0]) ? values[0] : values);
    };
  };
}

function quantifier(decisive: boolean): OperatorParser {
  return (operand, context, parse, name) => {
    const list = Array.isArray(operand) && operand.length === 1 ? (operand[0] as Value) : operand;
    const input = parse(list, context);
    return (scope) => {
      const items = input(scope);
      if (!Array.isArray(items))
        throw new CommandError(17040, `${name}'s argument must be an array, but is ${typeName(items)}`);
      return items.some((item) => truthy(item) === decisive) === decisive;
    };
  };
}

export const LIST_OPERATORS: readonly [string, OperatorParser][] = [
  ["$filter", filter],
  ["$map", map],
  ["$reduce", reduce],
  ["$sum", overValues(total)],
  ["$avg", overValues(average)],
  ["$min", overValues((values) => extreme(values, -1))],
  ["$max", overValues((values) => extreme(values, 1))],
  ["$anyElementTrue", quantifier(true)],
  ["$allElementsTrue", quantifier(false)],
];
