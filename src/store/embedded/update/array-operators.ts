import { compareValues, equalValues } from "../bson/compare.ts";
import { KeyWriter } from "../bson/key.ts";
import { toDouble } from "../bson/numbers.ts";
import { shellText } from "../bson/shell-text.ts";
import { type Doc, isNumeric, RegexValue, typeName, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { sortKey } from "../query/find-documents.ts";
import { matches } from "../query/matches.ts";
import { isOperatorDocument, type ParseExpression, parseFilter } from "../query/parse-filter.ts";
import { parseSort } from "../query/sort.ts";
import type { Target } from "./paths.ts";

/**
 * Changes one field of the document; `root` is only for the wording of errors. "counts" says that the document counts
 * as modified even when it comes out the same.
 */
export type Change = (target: Target, path: string, root: Doc) => "counts" | undefined;

function idText(root: Doc): string {
  return `{_id: ${shellText(root.get("_id") ?? null)}}`;
}

export function parsePush(operand: Value): Change {
  const each = isOperatorDocument(operand) && operand.has("$each") ? operand : undefined;
  const items = each === undefined ? [operand] : eachItems(each, "$push");
  if (each !== undefined) {
    for (const name of each.keys()) {
      if (!["$each", "$slice", "$sort", "$position"].includes(name)) {
        throw new CommandError(2, `Unrecognized clause in $push: ${name}`);
      }
    }
  }
  const position = wholeClause(each, "$position");
  const slice = wholeClause(each, "$slice");
  const order = each?.get("$sort");
  const compare = order === undefined ? undefined : elementOrder(order);
  return (target, path, root) => {
    const array = existingArray(
      target,
      (type) =>
        new CommandError(
          2,
          `The field '${path}' must be an array but is of type ${type} in document ${idText(root)}`,
        ),
    );
    const at =
      position === undefined
        ? array.length
        : position < 0
          ? Math.max(0, array.length + position)
          : Math.min(position, array.length);
    let result = [...array.slice(0, at), ...items, ...array.slice(at)];
    if (compare !== undefined) result = result.sort(compare);
    if (slice !== undefined) result = slice < 0 ? result.slice(slice) : result.slice(0, slice);
    target.set(result);
    // MongoDB does not look whether sorting changed anything, unless there is nothing to sort.
    return compare !== undefined && array.length + items.length > 0 ? "counts" : undefined;
  };
}

function eachItems(clauses: Doc, operator: string): Value[] {
  const items = clauses.get("$each");
  if (!Array.isArray(items)) {
    throw new CommandError(
      operator === "$push" ? 2 : 14,
      `The argument to $each in ${operator} must be an array but it was of type${operator === "$push" ? ":" : ""} ${typeName(items)}`,
    );
  }
  return items;
}

function wholeClause(clauses: Doc | undefined, name: string): number | undefined {
  const value = clauses?.get(name);
  if (value === undefined) return undefined;
  const number = isNumeric(value) ? toDouble(value) : Number.NaN;
  if (!Number.isInteger(number)) {
    throw new CommandError(
      2,
      `The value for ${name} must be an integer value but was given type: ${typeName(value)}`,
    );
  }
  return number;
}

function elementOrder(order: Value): (a: Value, b: Value) => number {
  if (isNumeric(order)) {
    const direction = toDouble(order);
    if (Math.abs(direction) !== 1)
      throw new CommandError(2, "The $sort element value must be either 1 or -1");
    return (a, b) => compareValues(a, b) * direction;
  }
  if (!(order instanceof Map))
    throw new CommandError(
      2,
      "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields",
    );
  const fields = parseSort(order);
  const writer = new KeyWriter();
  const keyOf = (value: Value) => sortKey(value instanceof Map ? value : new Map(), fields, writer);
  return (a, b) => keyOf(a).compare(keyOf(b));
}

function existingArray(target: Target, otherwise: (type: string) => CommandError): Value[] {
  if (target.value === undefined) return [];
  if (!Array.isArray(target.value)) throw otherwise(typeName(target.value));
  return target.value;
}

export function parseAddToSet(operand: Value): Change {
  const items =
    isOperatorDocument(operand) && operand.has("$each") ? eachItems(operand, "$addToSet") : [operand];
  return (target, path) => {
    const array = existingArray(
      target,
      (type) =>
        new CommandError(
          2,
          `Cannot apply $addToSet to non-array field. Field named '${path.split(".").at(-1)}' has non-array type ${type}`,
        ),
    );
    const result = [...array];
    for (const item of items) {
      if (!result.some((existing) => equalValues(existing, item))) result.push(item);
    }
    target.set(result);
    return undefined;
  };
}

export function parsePull(operand: Value, parseExpression: ParseExpression): Change {
  return removing("$pull", pullTest(operand, parseExpression));
}

function pullTest(operand: Value, parseExpression: ParseExpression): (item: Value) => boolean {
  if (operand instanceof RegexValue || isOperatorDocument(operand)) {
    const filter = parseFilter(new Map([["item", operand]]), parseExpression);
    return (item) => matches(filter, new Map([["item", item]]));
  }
  if (operand instanceof Map) {
    const filter = parseFilter(operand, parseExpression);
    return (item) => item instanceof Map && matches(filter, item);
  }
  return (item) => equalValues(item, operand);
}

export function parsePullAll(operand: Value): Change {
  if (!Array.isArray(operand)) {
    throw new CommandError(2, `$pullAll requires an array argument but was given a ${typeName(operand)}`);
  }
  return removing("$pullAll", (item) => operand.some((other) => equalValues(item, other)));
}

function removing(operator: string, gone: (item: Value) => boolean): Change {
  return (target) => {
    if (target.value === undefined) return undefined;
    if (!Array.isArray(target.value))
      throw new CommandError(2, `Cannot apply ${operator} to a non-array value`);
    const left = target.value.filter((item) => !gone(item));
    if (left.length !== target.value.length) target.set(left);
    return undefined;
  };
}

export function parsePop(operand: Value): Change {
  const direction = isNumeric(operand) ? toDouble(operand) : Number.NaN;
  if (Math.abs(direction) !== 1)
    throw new CommandError(9, `$pop expects 1 or -1, found: ${shellText(operand)}`);
  return (target, path) => {
    if (target.value === undefined) return undefined;
    if (!Array.isArray(target.value)) {
      throw new CommandError(
        14,
        `Path '${path}' contains an element of non-array type '${typeName(target.value)}'`,
      );
    }
    target.set(direction === 1 ? target.value.slice(0, -1) : target.value.slice(1));
    return undefined;
  };
}
