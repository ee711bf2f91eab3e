import { compareValues, equalValues } from "../bson/compare.ts";
import { identity, typeRank } from "../bson/key.ts";
import type { Doc, Value } from "../bson/values.ts";
import { isTrue } from "./expression.ts";
import type { Comparison, FieldTest, Filter } from "./filter.ts";

/** True for a document that matches the filter. */
export function matches(filter: Filter, document: Doc): boolean {
  switch (filter.kind) {
    case "and":
      return filter.filters.every((part) => matches(part, document));
    case "or":
      return filter.filters.some((part) => matches(part, document));
    case "not":
      return !matches(filter.filter, document);
    case "field":
      return atPath(document, filter.parts, 0, filter.test);
    case "expr":
      return isTrue(filter.evaluate(document));
  }
}

/**
 * Walks a dotted path. An array on the path is replaced by its documents (and, if the next part is a number, by that element);
 * at the end an array is tested as itself and by its elements.
 */
function atPath(value: Value | undefined, parts: readonly string[], at: number, test: FieldTest): boolean {
  if (at === parts.length) {
    return testValue(test, value) || (Array.isArray(value) && value.some((item) => testValue(test, item)));
  }
  const part = parts[at] as string;
  if (value instanceof Map) return atPath(value.get(part), parts, at + 1, test);
  if (!Array.isArray(value)) return testValue(test, undefined);
  if (isIndex(part)) {
    const item = value[Number(part)];
    // An array that is named by its position is not expanded.
    if (item !== undefined && at + 1 === parts.length && testValue(test, item)) return true;
    if (item !== undefined && at + 1 < parts.length && atPath(item, parts, at + 1, test)) return true;
  }
  return value.some((item) => item instanceof Map && atPath(item, parts, at, test));
}

export function isIndex(part: string): boolean {
  return /^(0|[1-9]\d*)$/.test(part);
}

/** A condition on one value, where undefined is a missing field. Arrays are not expanded here. */
export function testValue(test: FieldTest, value: Value | undefined): boolean {
  switch (test.op) {
    case "eq":
      return value === undefined ? test.value === null : equalValues(value, test.value);
    case "in":
      return test.identities.has(value === undefined ? NULL_IDENTITY : identity(value));
    case "exists":
      return value !== undefined;
    default:
      return inOrder(value, test.op, test.value);
  }
}

const NULL_IDENTITY = identity(null);

function inOrder(value: Value | undefined, op: Comparison, operand: Value): boolean {
  if (operand === null) return (op === "gte" || op === "lte") && (value === undefined || value === null);
  if (value === undefined || typeRank(value) !== typeRank(operand)) return false;
  if (Number.isNaN(value) !== Number.isNaN(operand)) return false;
  const order = compareValues(value, operand);
  if (order === 0) return op === "gte" || op === "lte";
  return op === "gt" || op === "gte" ? order > 0 : order < 0;
}
