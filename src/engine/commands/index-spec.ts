import { toDouble } from "../bson/numbers.ts";
import { shellText } from "../bson/shell-text.ts";
import { type Doc, doc, int, isNumeric, typeName, type Value } from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";
import type { Filter } from "../query/filter.ts";
import { isIndex } from "../query/matches.ts";
import { parsePartial } from "../storage/schema.ts";

/** Fields of an index, except `v`. */
export const INDEX_FIELDS = ["key", "name", "unique", "partialFilterExpression", "expireAfterSeconds"];

/** A requested index, checked, in the form of `listIndexes`. */
export function normalizeIndex(spec: Doc): Doc {
  const key = spec.get("key");
  const name = spec.get("name");
  if (!(key instanceof Map)) throw missing("key");
  if (typeof name !== "string") throw missing("name");
  if (name === "" || name === "*") throw cannotCreate(`The index name '${name}' is not valid.`);
  checkKey(key);
  const unique = spec.get("unique") ?? false;
  const partial = spec.get("partialFilterExpression");
  const expiry = spec.get("expireAfterSeconds");
  if (typeof unique !== "boolean") throw wrongOption("unique", unique);
  if (partial instanceof Map) checkPartial(parsePartial(partial), partial);
  else if (partial !== undefined) throw wrongOption("partialFilterExpression", partial);
  if (expiry !== undefined) checkExpiry(expiry, key);
  for (const field of spec.keys()) {
    if (INDEX_FIELDS.includes(field) || field === "v") continue;
    throw new CommandError(
      197,
      `The field '${field}' is not valid for an index specification. Specification: ${shellText(spec)}`,
    );
  }
  return doc({
    v: int(2),
    key,
    name,
    unique: unique || undefined,
    partialFilterExpression: partial,
    expireAfterSeconds: expiry,
  });
}

function missing(field: string): CommandError {
  return new CommandError(9, `The '${field}' field is a required property of an index specification`);
}

function checkKey(key: Doc): void {
  if (key.size === 0) throw cannotCreate("Index keys cannot be an empty field in an index specification.");
  for (const [path, direction] of key) {
    if (typeof direction === "string") throw notImplemented(`an index of type '${direction}'`);
    if (path.includes("$**")) throw notImplemented("a wildcard index");
    if (path.split(".").some(isIndex)) throw notImplemented("an index of a position in an array");
    if (!isNumeric(direction) || !(Math.abs(toDouble(direction)) > 0)) {
      throw cannotCreate(
        `Values in v:2 index key pattern cannot be of type ${typeName(direction)}. Only numbers > 0, numbers < 0, and strings are allowed.`,
      );
    }
    if (path.split(".").includes("")) throw cannotCreate("Index keys cannot contain an empty field.");
    if (path.split(".").some((part) => part.startsWith("$"))) {
      throw cannotCreate("Index key contains an illegal field name: field name starts with '$'.");
    }
  }
}

function cannotCreate(message: string): CommandError {
  return new CommandError(67, message);
}

function wrongOption(field: string, value: Value): CommandError {
  return new CommandError(
    14,
    `The field '${field}' has value ${field}: ${shellText(value)}, which is not convertible to bool`,
  );
}

function checkExpiry(value: Value, key: Doc): void {
  if (key.size !== 1) {
    throw cannotCreate(
      "TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec",
    );
  }
  if (!isNumeric(value)) throw new CommandError(14, "TTL index 'expireAfterSeconds' option must be numeric");
  const seconds = toDouble(value);
  if (!(seconds >= 0 && seconds <= 0x7fffffff)) {
    throw cannotCreate(
      `TTL index 'expireAfterSeconds' option must be within an acceptable range, try a different number than ${seconds}.`,
    );
  }
  if (key.has("_id")) {
    throw new CommandError(
      197,
      "The field 'expireAfterSeconds' is not valid for an _id index specification.",
    );
  }
}

/** MongoDB allows only conditions that match documents with the field. */
function checkPartial(filter: Filter, spec: Value): void {
  if (filter.kind === "field") return;
  if (filter.kind === "and" || filter.kind === "or") {
    for (const part of filter.filters) checkPartial(part, spec);
    return;
  }
  throw cannotCreate(`unsupported expression in partial index: ${shellText(spec)}`);
}
