import { identity } from "../bson/key.ts";
import { type Doc, isNumeric, RegexValue, type Value } from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";
import type { FieldTest, Filter, RegexTest } from "./filter.ts";
import { parseBits, parseModulo, parseSize, parseTypes } from "./parse-tests.ts";
import { compileRegex } from "./regex.ts";

/** Turns `{ $expr }` operands into functions; the aggregation language gives it. */
export type ParseExpression = (expression: Value) => (root: Value) => Value | undefined;

/** Parses a query document. Errors are worded and numbered as MongoDB's. */
export function parseFilter(query: Doc, parseExpression: ParseExpression): Filter {
  const filters: Filter[] = [];
  for (const [name, value] of query) {
    if (name.startsWith("$")) {
      const filter = parseTopLevel(name, value, parseExpression);
      if (filter !== undefined) filters.push(filter);
    } else {
      filters.push(...parseField(name, value, parseExpression));
    }
  }
  return filters.length === 1 ? (filters[0] as Filter) : { kind: "and", filters };
}

function parseTopLevel(name: string, value: Value, parseExpression: ParseExpression): Filter | undefined {
  switch (name) {
    case "$and":
    case "$or":
    case "$nor": {
      const filters = logicalOperands(name, value).map((part) => parseFilter(part, parseExpression));
      return { kind: name.slice(1) as "and" | "or" | "nor", filters };
    }
    case "$expr":
      return { kind: "expr", evaluate: parseExpression(value) };
    case "$comment":
      return undefined;
    case "$alwaysTrue":
      return { kind: "constant", value: true };
    case "$alwaysFalse":
      return { kind: "constant", value: false };
    case "$where":
    case "$text":
    case "$jsonSchema":
    case "$sampleRate":
      throw notImplemented(name);
    default:
      throw new CommandError(
        2,
        `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
      );
  }
}

function logicalOperands(name: string, value: Value): Doc[] {
  if (!Array.isArray(value)) throw new CommandError(2, `${name} must be an array`);
  if (value.length === 0) throw new CommandError(2, "$and/$or/$nor must be a nonempty array");
  return value.map((part) => {
    if (!(part instanceof Map)) throw new CommandError(2, "$or/$and/$nor entries need to be full objects");
    return part;
  });
}

/** Whether an operand is a set of operators rather than a document to compare with. */
export function isOperatorDocument(value: Value): value is Doc {
  if (!(value instanceof Map)) return false;
  const [first] = value.keys();
  return first?.startsWith("$") === true && !["$ref", "$id", "$db"].includes(first);
}

function parseField(path: string, value: Value, parseExpression: ParseExpression): Filter[] {
  const field = (test: FieldTest): Filter => ({ kind: "field", path, parts: path.split("."), test });
  if (value instanceof RegexValue) return [field({ op: "regex", regex: compileRegex(value) })];
  if (!isOperatorDocument(value)) return [field({ op: "eq", value })];
  return parseOperators(value, field, parseExpression);
}

type Field = (test: FieldTest) => Filter;

function parseOperators(operators: Doc, field: Field, parseExpression: ParseExpression): Filter[] {
  const filters: Filter[] = [];
  for (const [name, operand] of operators) {
    if (name === "$options") {
      if (!operators.has("$regex")) throw new CommandError(2, "$options needs a $regex");
      continue;
    }
    filters.push(parseOperator(name, operand, operators, field, parseExpression));
  }
  return filters;
}

function parseOperator(
  name: string,
  operand: Value,
  siblings: Doc,
  field: Field,
  parseExpression: ParseExpression,
): Filter {
  switch (name) {
    case "$eq":
      return field({ op: "eq", value: operand });
    case "$ne":
      if (operand instanceof RegexValue) throw new CommandError(2, "Can't have regex as arg to $ne.");
      return not(field({ op: "eq", value: operand }));
    case "$gt":
    case "$gte":
    case "$lt":
    case "$lte":
      if (operand instanceof RegexValue) {
        throw new CommandError(2, `Can't have RegEx as arg to predicate over field '${fieldPath(field)}'.`);
      }
      return field({ op: name.slice(1) as "gt" | "gte" | "lt" | "lte", value: operand });
    case "$in":
      return field(parseIn(name, operand));
    case "$nin":
      return not(field(parseIn(name, operand)));
    case "$exists":
      return isTrue(operand) ? field({ op: "exists" }) : not(field({ op: "exists" }));
    case "$type":
      return field(parseTypes(operand));
    case "$regex":
      return field({ op: "regex", regex: parseRegex(operand, siblings.get("$options")) });
    case "$mod":
      return field(parseModulo(operand));
    case "$size":
      return field(parseSize(operand));
    case "$bitsAllSet":
    case "$bitsAllClear":
    case "$bitsAnySet":
    case "$bitsAnyClear":
      return field(parseBits(name, operand));
    case "$not":
      return not(parseNot(operand, field, parseExpression));
    case "$all":
      return parseAll(operand, field, parseExpression);
    case "$elemMatch":
      return field(parseElemMatch(operand, parseExpression));
    case "$geoWithin":
    case "$geoIntersects":
    case "$near":
    case "$nearSphere":
    case "$within":
      throw notImplemented(name);
    default:
      throw new CommandError(2, `unknown operator: ${name}`);
  }
}

function not(filter: Filter): Filter {
  return { kind: "not", filter };
}

function fieldPath(field: Field): string {
  const filter = field({ op: "exists" });
  return filter.kind === "field" ? filter.path : "";
}

function isTrue(value: Value): boolean {
  if (isNumeric(value)) return identity(value) !== ZERO;
  return value !== null && value !== false;
}

const ZERO = identity(0);

function parseIn(name: string, operand: Value): FieldTest {
  if (!Array.isArray(operand)) throw new CommandError(2, `${name} needs an array`);
  const regexes: RegexTest[] = [];
  const identities = new Set<string>();
  const values: Value[] = [];
  for (const value of operand) {
    if (isOperatorDocument(value)) throw new CommandError(2, `cannot nest $ under ${name}`);
    if (value instanceof RegexValue) regexes.push(compileRegex(value));
    else {
      const key = identity(value);
      if (!identities.has(key)) values.push(value);
      identities.add(key);
    }
  }
  return { op: "in", values, identities, regexes };
}

function parseRegex(operand: Value, options: Value | undefined): RegexTest {
  if (options !== undefined && typeof options !== "string") {
    throw new CommandError(2, "$options has to be a string");
  }
  if (operand instanceof RegexValue) {
    if (options !== undefined && operand.options !== "") {
      throw new CommandError(51074, "options set in both $regex and $options");
    }
    return compileRegex(new RegexValue(operand.pattern, options ?? operand.options));
  }
  if (typeof operand !== "string") throw new CommandError(2, "$regex has to be a string");
  return compileRegex(new RegexValue(operand, options ?? ""));
}

function parseNot(operand: Value, field: Field, parseExpression: ParseExpression): Filter {
  if (operand instanceof RegexValue) return field({ op: "regex", regex: compileRegex(operand) });
  if (!(operand instanceof Map)) throw new CommandError(2, "$not needs a regex or a document");
  if (operand.size === 0) throw new CommandError(2, "$not cannot be empty");
  const filters = parseOperators(operand, field, parseExpression);
  return filters.length === 1 ? (filters[0] as Filter) : { kind: "and", filters };
}

function parseAll(operand: Value, field: Field, parseExpression: ParseExpression): Filter {
  if (!Array.isArray(operand)) throw new CommandError(2, "$all needs an array");
  if (operand.length === 0) return { kind: "constant", value: false };
  const filters = operand.map((item): Filter => {
    if (item instanceof RegexValue) return field({ op: "regex", regex: compileRegex(item) });
    if (item instanceof Map && item.has("$elemMatch")) {
      return field(parseElemMatch(item.get("$elemMatch") ?? null, parseExpression));
    }
    if (isOperatorDocument(item)) throw new CommandError(2, "no $ expressions in $all");
    return field({ op: "eq", value: item });
  });
  return { kind: "and", filters };
}

function parseElemMatch(operand: Value, parseExpression: ParseExpression): FieldTest {
  if (!(operand instanceof Map)) throw new CommandError(2, "$elemMatch needs an Object");
  const [first] = operand.keys();
  if (isOperatorDocument(operand) && !["$and", "$or", "$nor", "$where", "$expr"].includes(first ?? "")) {
    const element: Field = (test) => ({ kind: "field", path: "", parts: [], test });
    return {
      op: "elemMatchValue",
      filter: { kind: "and", filters: parseOperators(operand, element, parseExpression) },
    };
  }
  return { op: "elemMatchObject", filter: parseFilter(operand, parseExpression) };
}
