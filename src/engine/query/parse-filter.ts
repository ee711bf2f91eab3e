import { identity } from "../bson/key.ts";
import { toDouble } from "../bson/numbers.ts";
import { type Doc, isNumeric, OpaqueValue, TYPE, type Value } from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";
import { type Now, parseExpression } from "./expression.ts";
import type { Comparison, FieldTest, Filter } from "./filter.ts";

type TopLevel = (operand: Value, now: Now) => Filter;
type Field = (test: FieldTest) => Filter;

/** Operators in the position of a field. */
export const TOP_LEVEL_OPERATORS: ReadonlyMap<string, TopLevel> = new Map<string, TopLevel>([
  ["$and", (operand, now) => ({ kind: "and", filters: operandsOf("$and", operand, now) })],
  ["$or", (operand, now) => ({ kind: "or", filters: operandsOf("$or", operand, now) })],
  ["$expr", (operand, now) => ({ kind: "expr", evaluate: parseExpression(operand, now) })],
]);

/** Operators on a field. */
export const FIELD_OPERATORS: ReadonlyMap<string, (operand: Value, field: Field) => Filter> = new Map([
  ["$ne", (operand, field) => not(field({ op: "eq", value: operand }))],
  ["$gt", comparison("gt")],
  ["$gte", comparison("gte")],
  ["$lt", comparison("lt")],
  ["$lte", comparison("lte")],
  ["$in", (operand, field) => field(parseIn(operand))],
  ["$exists", (operand, field) => (isSet(operand) ? field({ op: "exists" }) : not(field({ op: "exists" })))],
  ["$not", (operand, field) => not(parseNot(operand, field))],
]);

/** Parses a query document. Errors are worded and numbered as MongoDB's. */
export function parseFilter(query: Doc, now: Now): Filter {
  return all(
    [...query].flatMap(([name, value]) => {
      if (!name.startsWith("$")) return parseField(name, value);
      const parse = TOP_LEVEL_OPERATORS.get(name);
      if (parse !== undefined) return parse(value, now);
      throw new CommandError(
        2,
        `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
      );
    }),
  );
}

function all(filters: readonly Filter[]): Filter {
  return filters.length === 1 ? (filters[0] as Filter) : { kind: "and", filters };
}

function not(filter: Filter): Filter {
  return { kind: "not", filter };
}

function operandsOf(name: string, operand: Value, now: Now): Filter[] {
  if (!Array.isArray(operand)) throw new CommandError(2, `${name} must be an array`);
  if (operand.length === 0) throw new CommandError(2, "$and/$or/$nor must be a nonempty array");
  return operand.map((part) => {
    if (!(part instanceof Map)) throw new CommandError(2, "$or/$and/$nor entries need to be full objects");
    return parseFilter(part, now);
  });
}

function parseField(path: string, value: Value): Filter[] {
  const field: Field = (test) => ({ kind: "field", path, parts: path.split("."), test });
  return isOperatorDocument(value)
    ? parseOperators(value, field)
    : [field({ op: "eq", value: literal(value) })];
}

/** True for a set of operators, false for a document to compare with. */
function isOperatorDocument(value: Value): value is Doc {
  return value instanceof Map && [...value.keys()][0]?.startsWith("$") === true;
}

/** In a query a regular expression is a test, not a value; this engine has none. */
function literal(value: Value): Value {
  if (value instanceof OpaqueValue && value.type === TYPE.regex) throw notImplemented("a regular expression");
  return value;
}

function parseOperators(operators: Doc, field: Field): Filter[] {
  return [...operators].map(([name, operand]) => {
    const parse = FIELD_OPERATORS.get(name);
    if (parse === undefined) throw new CommandError(2, `unknown operator: ${name}`);
    return parse(operand, field);
  });
}

function comparison(op: Comparison) {
  return (operand: Value, field: Field) => field({ op, value: literal(operand) });
}

function isSet(value: Value): boolean {
  return isNumeric(value) ? toDouble(value) !== 0 : value !== null && value !== false;
}

function parseIn(operand: Value): FieldTest {
  if (!Array.isArray(operand)) throw new CommandError(2, "$in needs an array");
  const values = new Map<string, Value>();
  for (const value of operand) {
    if (isOperatorDocument(value)) throw new CommandError(2, "cannot nest $ under $in");
    const key = identity(literal(value));
    if (!values.has(key)) values.set(key, value);
  }
  return { op: "in", values: [...values.values()], identities: new Set(values.keys()) };
}

function parseNot(operand: Value, field: Field): Filter {
  if (!(operand instanceof Map)) throw new CommandError(2, "$not needs a regex or a document");
  if (operand.size === 0) throw new CommandError(2, "$not cannot be empty");
  return all(parseOperators(operand, field));
}
