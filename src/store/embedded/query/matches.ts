import { compareValues, equalValues } from "../bson/compare.ts";
import { identity, typeRank } from "../bson/key.ts";
import { toDouble } from "../bson/numbers.ts";
import {
  BinaryValue,
  DecimalValue,
  type Doc,
  isNumeric,
  Marker,
  RegexValue,
  SymbolValue,
  typeNumber,
  type Value,
} from "../bson/values.ts";
import type { FieldTest, Filter, RegexTest } from "./filter.ts";

/** Whether a document satisfies a filter. */
export function matches(filter: Filter, document: Doc): boolean {
  switch (filter.kind) {
    case "and":
      return filter.filters.every((part) => matches(part, document));
    case "or":
      return filter.filters.some((part) => matches(part, document));
    case "nor":
      return !filter.filters.some((part) => matches(part, document));
    case "not":
      return !matches(filter.filter, document);
    case "field":
      return atPath(document, filter.parts, 0, filter.test);
    case "expr":
      return truthy(filter.evaluate(document));
    case "constant":
      return filter.value;
  }
}

export function truthy(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === false || value instanceof Marker) {
    return value instanceof Marker && value.kind !== "undefined";
  }
  return !isNumeric(value) || toDouble(value) !== 0;
}

/** Tests that look at an array as a whole and never at its elements. */
function takesWholeArray(test: FieldTest): boolean {
  return test.op === "size" || test.op === "elemMatchObject" || test.op === "elemMatchValue";
}

/**
 * Walks a dotted path. An array on the way stands for each of its documents (and, where the next part is a number, for
 * that element); at the end an array is tested as itself and as each of its elements.
 */
function atPath(value: Value | undefined, parts: readonly string[], at: number, test: FieldTest): boolean {
  if (at === parts.length) {
    if (testValue(test, value)) return true;
    return Array.isArray(value) && !takesWholeArray(test) && value.some((item) => testValue(test, item));
  }
  const part = parts[at] as string;
  if (value instanceof Map) return atPath(value.get(part), parts, at + 1, test);
  if (Array.isArray(value)) {
    if (isIndex(part)) {
      const item = value[Number(part)];
      // An array named by its position is not opened as well.
      if (item !== undefined && at + 1 === parts.length && testValue(test, item)) return true;
      if (item !== undefined && at + 1 < parts.length && atPath(item, parts, at + 1, test)) return true;
    }
    return value.some((item) => item instanceof Map && atPath(item, parts, at, test));
  }
  return testValue(test, undefined);
}

export function isIndex(part: string): boolean {
  return /^(0|[1-9]\d*)$/.test(part);
}

/** A condition on one value, where undefined is a missing field. Arrays are not opened here. */
export function testValue(test: FieldTest, value: Value | undefined): boolean {
  switch (test.op) {
    case "eq":
      return equals(value, test.value);
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return inOrder(value, test.op, test.value);
    case "in":
      if (value === undefined || isUndefined(value)) return test.identities.has(NULL_IDENTITY);
      return test.identities.has(identity(value)) || test.regexes.some((regex) => testRegex(regex, value));
    case "exists":
      return value !== undefined;
    case "type":
      return (
        value !== undefined && (test.types.has(typeNumber(value)) || (test.anyNumber && isNumeric(value)))
      );
    case "regex":
      return testRegex(test.regex, value);
    case "mod":
      return testModulo(value, test.divisor, test.remainder);
    case "size":
      return Array.isArray(value) && value.length === test.size;
    case "bits":
      return testBits(test, value);
    case "elemMatchObject":
      return Array.isArray(value) && value.some((item) => matchesElement(test.filter, item));
    case "elemMatchValue":
      return Array.isArray(value) && value.some((item) => matchesValue(test.filter, item));
  }
}

export const NULL_IDENTITY = identity(null);

/** $elemMatch sees a nested array as a document with the fields "0", "1", ...; other elements never match. */
function matchesElement(filter: Filter, item: Value): boolean {
  if (item instanceof Map) return matches(filter, item);
  return Array.isArray(item) && matches(filter, new Map(item.map((value, index) => [String(index), value])));
}

/** The conditions of a value-form $elemMatch, all on the same element. */
function matchesValue(filter: Filter, value: Value): boolean {
  switch (filter.kind) {
    case "and":
      return filter.filters.every((part) => matchesValue(part, value));
    case "not":
      return !matchesValue(filter.filter, value);
    case "field":
      return testValue(filter.test, value);
    default:
      return filter.kind === "constant" && filter.value;
  }
}

function isUndefined(value: Value): boolean {
  return value instanceof Marker && value.kind === "undefined";
}

function equals(value: Value | undefined, operand: Value): boolean {
  if (value === undefined) return operand === null;
  if (operand === null) return value === null || isUndefined(value);
  return equalValues(value, operand);
}

function inOrder(value: Value | undefined, op: "gt" | "gte" | "lt" | "lte", operand: Value): boolean {
  if (operand === null) {
    return (op === "gte" || op === "lte") && (value === undefined || value === null);
  }
  // MinKey and MaxKey are below and above everything, a missing field too.
  const anyType = operand instanceof Marker;
  if (value === undefined && !anyType) return false;
  const present = value ?? null;
  if (!anyType && typeRank(present) !== typeRank(operand)) return false;
  if (!anyType && isNaNValue(present) !== isNaNValue(operand)) return false;
  const order = compareValues(present, operand);
  if (order === 0) return op === "gte" || op === "lte";
  return op === "gt" || op === "gte" ? order > 0 : order < 0;
}

export function isNaNValue(value: Value): boolean {
  return typeof value === "number"
    ? Number.isNaN(value)
    : value instanceof DecimalValue && Number.isNaN(toDouble(value));
}

function testRegex(regex: RegexTest, value: Value | undefined): boolean {
  if (typeof value === "string") return regex.compiled.test(value);
  if (value instanceof SymbolValue) return regex.compiled.test(value.value);
  return value instanceof RegexValue && equalValues(value, regex.source);
}

/** The whole part of a number, or undefined when it is none that an int64 can hold. */
export function truncated(value: Value | undefined): bigint | undefined {
  if (!isNumeric(value)) return undefined;
  if (typeof value === "bigint") return value;
  const number = Math.trunc(toDouble(value));
  return Number.isFinite(number) && Math.abs(number) < 2 ** 63 ? BigInt(number) : undefined;
}

function testModulo(value: Value | undefined, divisor: bigint, remainder: bigint): boolean {
  const whole = truncated(value);
  return whole !== undefined && whole % divisor === remainder;
}

function testBits(test: Extract<FieldTest, { op: "bits" }>, value: Value | undefined): boolean {
  const isSet = bitReader(value);
  if (isSet === undefined) return false;
  switch (test.want) {
    case "allSet":
      return test.positions.every(isSet);
    case "anySet":
      return test.positions.some(isSet);
    case "allClear":
      return !test.positions.some(isSet);
    case "anyClear":
      return test.positions.some((position) => !isSet(position));
  }
}

function bitReader(value: Value | undefined): ((position: number) => boolean) | undefined {
  if (value instanceof BinaryValue) {
    return (position) => (((value.bytes[position >> 3] ?? 0) >> (position & 7)) & 1) === 1;
  }
  if (!isNumeric(value) || !Number.isInteger(toDouble(value))) return undefined;
  const whole = truncated(value);
  if (whole === undefined) return undefined;
  return (position) => ((whole >> BigInt(Math.min(position, 63))) & 1n) === 1n;
}
