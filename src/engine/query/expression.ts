import { compareValues } from "../bson/compare.ts";
import { addNumbers, toDouble } from "../bson/numbers.ts";
import {
  DateTime,
  type Doc,
  Int32,
  isNumeric,
  type NumericValue,
  typeName,
  UNDEFINED,
  type Value,
} from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";

/**
 * Expressions: values computed from a document, in `$expr`, in the `$set` of a pipeline update, and in a projection. They
 * support conditions on the time of the store, and little more.
 */
export type Evaluate = (document: Doc) => Value | undefined;

/** The moment of a command, in ms since 1970: `$$NOW` is constant within it. */
export type Now = () => number;

type Parse = (operand: Value, name: string, now: Now) => Evaluate;

/** All supported operators. */
export const EXPRESSION_OPERATORS: ReadonlyMap<string, Parse> = new Map([
  ["$add", operands(0, Infinity, add)],
  ["$and", logical(false)],
  ["$or", logical(true)],
  ["$not", operands(1, 1, ([value]) => !isTrue(value))],
  ["$eq", operands(2, 2, ([a, b]) => compare(a, b) === 0)],
  ["$gt", operands(2, 2, ([a, b]) => compare(a, b) > 0)],
  ["$gte", operands(2, 2, ([a, b]) => compare(a, b) >= 0)],
  ["$lt", operands(2, 2, ([a, b]) => compare(a, b) < 0)],
  ["$lte", operands(2, 2, ([a, b]) => compare(a, b) <= 0)],
  ["$max", operands(2, Infinity, greatest)],
  ["$isNumber", operands(1, 1, ([value]) => isNumeric(value))],
  ["$toLong", operands(1, 1, toLong)],
  ["$cond", cond],
  ["$literal", (operand) => () => operand],
]);

/** The only variable: the moment of the command. */
export const EXPRESSION_VARIABLES: readonly string[] = ["$$NOW"];

/** Parses an expression. Errors are worded and numbered as MongoDB's. */
export function parseExpression(expression: Value, now: Now): Evaluate {
  if (typeof expression === "string" && expression.startsWith("$")) {
    return expression.startsWith("$$") ? variable(expression, now) : fieldPath(expression.slice(1));
  }
  if (Array.isArray(expression)) throw notImplemented("an array as an expression");
  if (!(expression instanceof Map)) return () => expression;
  const [name = ""] = expression.keys();
  if (!name.startsWith("$")) throw notImplemented("an object as an expression");
  if (expression.size !== 1) {
    throw new CommandError(
      15983,
      `An object representing an expression must have exactly one field: { ${[...expression.keys()].join(", ")} }`,
    );
  }
  const parse = EXPRESSION_OPERATORS.get(name);
  if (parse === undefined) throw new CommandError(168, `Unrecognized expression '${name}'`);
  return parse(expression.get(name) as Value, name, now);
}

function variable(name: string, now: Now): Evaluate {
  if (!EXPRESSION_VARIABLES.includes(name)) {
    throw new CommandError(17276, `Use of undefined variable: ${name.slice(2)}`);
  }
  const moment = new DateTime(now());
  return () => moment;
}

function fieldPath(path: string): Evaluate {
  if (path === "") throw new CommandError(16872, "'$' by itself is not a valid FieldPath");
  const parts = path.split(".");
  if (parts.includes("")) throw new CommandError(15998, "FieldPath field names may not be empty strings.");
  return (document) => valueAt(document, parts, 0);
}

/** An array on the path is replaced by its documents, and the values in them are returned as an array. */
function valueAt(value: Value | undefined, parts: readonly string[], at: number): Value | undefined {
  if (at === parts.length) return value;
  if (value instanceof Map) return valueAt(value.get(parts[at] as string), parts, at + 1);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item) => {
    const found = item instanceof Map ? valueAt(item, parts, at) : undefined;
    return found === undefined ? [] : [found];
  });
}

/** An operator with this many operands; a single one may be without brackets. */
function operands(
  least: number,
  most: number,
  evaluate: (values: readonly (Value | undefined)[]) => Value,
): Parse {
  return (operand, name, now) => {
    const list = Array.isArray(operand) ? operand : [operand];
    if (list.length < least || list.length > most) throw wrongCount(name, least, list.length);
    const parsed = list.map((item) => parseExpression(item, now));
    return (document) => evaluate(parsed.map((item) => item(document)));
  };
}

function wrongCount(name: string, wanted: number, given: number): CommandError {
  return new CommandError(
    16020,
    `Expression ${name} takes exactly ${wanted} arguments. ${given} were passed in.`,
  );
}

/** Stops at the first operand that decides. */
function logical(decisive: boolean): Parse {
  return (operand, _name, now) => {
    const parsed = (Array.isArray(operand) ? operand : [operand]).map((item) => parseExpression(item, now));
    return (document) => parsed.some((item) => isTrue(item(document)) === decisive) === decisive;
  };
}

function cond(operand: Value, name: string, now: Now): Evaluate {
  if (operand instanceof Map) throw notImplemented("$cond with named operands");
  const list = Array.isArray(operand) ? operand : [operand];
  if (list.length !== 3) throw wrongCount(name, 3, list.length);
  const [test, yes, no] = list.map((item) => parseExpression(item, now)) as [Evaluate, Evaluate, Evaluate];
  return (document) => (isTrue(test(document)) ? yes(document) : no(document));
}

function add(values: readonly (Value | undefined)[]): Value {
  if (values.some((value) => value === undefined || value === null)) return null;
  let sum: NumericValue = new Int32(0);
  let dates = 0;
  for (const value of values) {
    if (value instanceof DateTime) {
      if (++dates > 1) throw new CommandError(16612, "only one date allowed in an $add expression");
      sum = addNumbers(sum, BigInt(value.ms)) ?? toDouble(sum) + value.ms;
    } else if (isNumeric(value)) sum = addNumbers(sum, value) ?? toDouble(sum) + toDouble(value);
    else throw new CommandError(14, `$add only supports numeric or date types, not ${typeName(value)}`);
  }
  return dates === 0 ? sum : new DateTime(Math.round(toDouble(sum)));
}

function greatest(values: readonly (Value | undefined)[]): Value {
  return values.reduce<Value>((most, value) => (compare(value, most) > 0 ? (value ?? null) : most), null);
}

/** Milliseconds of a date, or the integer part of a number. */
function toLong([value]: readonly (Value | undefined)[]): Value {
  if (value === undefined || value === null || typeof value === "bigint") return value ?? null;
  if (value instanceof DateTime) return BigInt(value.ms);
  if (isNumeric(value) && Math.abs(toDouble(value)) < 2 ** 63) return BigInt(Math.trunc(toDouble(value)));
  throw notImplemented(`$toLong of a ${typeName(value)}`);
}

/** Here a missing value is below null, and all types are comparable. */
function compare(a: Value | undefined, b: Value | undefined): number {
  return compareValues(a === undefined ? UNDEFINED : a, b === undefined ? UNDEFINED : b);
}

export function isTrue(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === false) return false;
  return !isNumeric(value) || toDouble(value) !== 0;
}
