import { toDouble } from "../bson/numbers.ts";
import { shellText } from "../bson/shell-text.ts";
import { type Doc, doc, int, isNumeric, typeName, type Value } from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";
import type { Filter } from "../query/filter.ts";
import { type ParseExpression, parseFilter } from "../query/parse-filter.ts";

const REFUSED = [
  "collation",
  "weights",
  "default_language",
  "language_override",
  "textIndexVersion",
  "2dsphereIndexVersion",
  "bits",
  "min",
  "max",
  "bucketSize",
  "wildcardProjection",
  "storageEngine",
  "prepareUnique",
];

/** An index as asked for, checked, in the form in which `listIndexes` gives it. */
export function normalizeIndex(spec: Doc, parseExpression: ParseExpression): Doc {
  const key = spec.get("key");
  const name = spec.get("name");
  if (!(key instanceof Map))
    throw new CommandError(9, "The 'key' field is a required property of an index specification");
  if (typeof name !== "string")
    throw new CommandError(9, "The 'name' field is a required property of an index specification");
  if (name === "" || name === "*") throw new CommandError(67, `The index name '${name}' is not valid.`);
  checkKey(key);
  const options = new Map<string, Value>();
  for (const [field, value] of spec) addOption(options, field, value, key, parseExpression);
  const result = doc({ v: int(2), key, name });
  for (const field of ["unique", "partialFilterExpression", "sparse", "expireAfterSeconds"]) {
    const value = options.get(field);
    if (value !== undefined) result.set(field, value);
  }
  if (result.has("sparse") && result.has("partialFilterExpression")) {
    throw new CommandError(67, 'cannot mix "partialFilterExpression" and "sparse" options');
  }
  return result;
}

function checkKey(key: Doc): void {
  if (key.size === 0)
    throw new CommandError(67, "Index keys cannot be an empty field in an index specification.");
  for (const [path, direction] of key) {
    if (typeof direction === "string") throw notImplemented(`an index of type '${direction}'`);
    if (!isNumeric(direction)) {
      throw new CommandError(
        67,
        `Values in v:2 index key pattern cannot be of type ${typeName(direction)}. Only numbers > 0, numbers < 0, and strings are allowed.`,
      );
    }
    if (toDouble(direction) === 0 || Number.isNaN(toDouble(direction))) {
      throw new CommandError(67, `Values in the index key pattern cannot be 0.`);
    }
    if (path.includes("$**")) throw notImplemented("a wildcard index");
    if (path === "" || path.split(".").includes("")) {
      throw new CommandError(67, "Index keys cannot contain an empty field.");
    }
    if (path.split(".").some((part) => part.startsWith("$"))) {
      throw new CommandError(67, `Index key contains an illegal field name: field name starts with '$'.`);
    }
  }
}

function addOption(
  result: Doc,
  field: string,
  value: Value,
  key: Doc,
  parseExpression: ParseExpression,
): void {
  switch (field) {
    case "key":
    case "name":
    case "v":
    case "background":
    case "ns":
      return;
    case "unique":
    case "sparse":
      if (typeof value !== "boolean" && !isNumeric(value)) throw wrongOption(field, value);
      if (value === true || (isNumeric(value) && toDouble(value) !== 0)) result.set(field, true);
      return;
    case "hidden":
      if (value === true) throw notImplemented("a hidden index");
      return;
    case "expireAfterSeconds":
      checkExpiry(value, key);
      result.set(field, value);
      return;
    case "partialFilterExpression":
      if (!(value instanceof Map)) throw wrongOption(field, value);
      checkPartial(parseFilter(value, parseExpression), value);
      result.set(field, value);
      return;
    default:
      if (REFUSED.includes(field)) throw notImplemented(`the index option '${field}'`);
      throw new CommandError(
        197,
        `The field '${field}' is not valid for an index specification. Specification: ${shellText(result)}`,
      );
  }
}

function wrongOption(field: string, value: Value): CommandError {
  return new CommandError(
    14,
    `The field '${field}' has value ${field}: ${shellText(value)}, which is not convertible to bool`,
  );
}

function checkExpiry(value: Value, key: Doc): void {
  if (key.size !== 1)
    throw new CommandError(
      67,
      "TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec",
    );
  if (!isNumeric(value))
    throw new CommandError(
      14,
      "TTL index 'expireAfterSeconds' option must be numeric, but received a type of 'string'. Index spec",
    );
  const seconds = toDouble(value);
  if (!(seconds >= 0 && seconds <= 0x7fffffff)) {
    throw new CommandError(
      67,
      `TTL index 'expireAfterSeconds' option must be within an acceptable range, try a different number than ${seconds}.`,
    );
  }
  if (key.has("_id"))
    throw new CommandError(
      197,
      "The field 'expireAfterSeconds' is not valid for an _id index specification.",
    );
}

/** What MongoDB allows: conditions that say yes only about documents which have the field. */
function checkPartial(filter: Filter, spec: Value): void {
  switch (filter.kind) {
    case "and":
    case "or":
      for (const part of filter.filters) checkPartial(part, spec);
      return;
    case "field":
      if (["eq", "gt", "gte", "lt", "lte", "exists", "type", "in"].includes(filter.test.op)) return;
  }
  throw new CommandError(67, `unsupported expression in partial index: ${shellText(spec)}`);
}
