import { compareValues, equalValues } from "../../bson/compare.ts";
import { identity } from "../../bson/key.ts";
import { type Doc, Int32, typeName, type Value } from "../../bson/values.ts";
import { CommandError } from "../../errors.ts";
import type { OperatorParser } from "../scope.ts";
import { isNullish, operands, wholeNumber } from "./helpers.ts";

function arrayOr(value: Value | undefined, otherwise: (type: string) => CommandError): Value[] {
  if (!Array.isArray(value)) throw otherwise(typeName(value));
  return value;
}

const elementAt = operands(2, 2, ([array, at]) => {
  if (isNullish(array) || isNullish(at)) return null;
  const items = arrayOr(
    array,
    (type) => new CommandError(28689, `$arrayElemAt's first argument must be an array, but is ${type}`),
  );
  const index = wholeNumber(at, "$arrayElemAt", 28691);
  return items[index < 0 ? items.length + index : index];
});

function endOf(pick: (items: readonly Value[]) => Value | undefined): OperatorParser {
  return operands(1, 1, ([array], name) => {
    if (isNullish(array)) return null;
    return pick(
      arrayOr(
        array,
        (type) => new CommandError(28689, `${name}'s argument must be an array, but is ${type}`),
      ),
    );
  });
}

const size = operands(1, 1, ([array]) => {
  const items = arrayOr(
    array,
    (type) => new CommandError(17124, `The argument to $size must be an array, but was of type: ${type}`),
  );
  return new Int32(items.length);
});

const inArray = operands(2, 2, ([value, array]) => {
  const items = arrayOr(
    array,
    (type) => new CommandError(40081, `$in requires an array as a second argument, found: ${type}`),
  );
  return value !== undefined && items.some((item) => equalValues(item, value));
});

const concatArrays = operands(0, Infinity, (arrays) => {
  const result: Value[] = [];
  for (const array of arrays) {
    if (isNullish(array)) return null;
    result.push(
      ...arrayOr(array, (type) => new CommandError(28664, `$concatArrays only supports arrays, not ${type}`)),
    );
  }
  return result;
});

const slice = operands(2, 3, ([array, first, second]) => {
  if (isNullish(array) || isNullish(first)) return null;
  const items = arrayOr(
    array,
    (type) => new CommandError(28724, `First argument to $slice must be an array, but is of type: ${type}`),
  );
  const start = wholeNumber(first, "$slice", 28726);
  if (second === undefined) return start < 0 ? items.slice(start) : items.slice(0, start);
  if (isNullish(second)) return null;
  const count = wholeNumber(second, "$slice", 28728);
  if (count <= 0) throw new CommandError(28729, `Third argument to $slice must be positive: ${count}`);
  const from = start < 0 ? Math.max(0, items.length + start) : start;
  return items.slice(from, from + count);
});

const reverse = operands(1, 1, ([array]) => {
  if (isNullish(array)) return null;
  return arrayOr(
    array,
    (type) =>
      new CommandError(34435, `The argument to $reverseArray must be an array, but was of type: ${type}`),
  ).toReversed();
});

const range = operands(2, 3, ([start, end, step]) => {
  const from = wholeNumber(start ?? null, "$range", 34444);
  const to = wholeNumber(end ?? null, "$range", 34446);
  const by = step === undefined ? 1 : wholeNumber(step, "$range", 34448);
  if (by === 0) throw new CommandError(34449, "$range requires a non-zero step value");
  const result: Value[] = [];
  for (let value = from; by > 0 ? value < to : value > to; value += by) result.push(new Int32(value));
  return result;
});

const indexOfArray = operands(2, 4, ([array, wanted, start, end]) => {
  if (isNullish(array)) return null;
  const items = arrayOr(
    array,
    (type) => new CommandError(40090, `$indexOfArray requires an array as a first argument, found: ${type}`),
  );
  const from = start === undefined ? 0 : wholeNumber(start, "$indexOfArray", 40096);
  const to =
    end === undefined ? items.length : Math.min(items.length, wholeNumber(end, "$indexOfArray", 40096));
  for (let at = from; at < to; at++) {
    if (wanted !== undefined && equalValues(items[at] as Value, wanted)) return new Int32(at);
  }
  return new Int32(-1);
});

const objectToArray = operands(1, 1, ([object]) => {
  if (isNullish(object)) return null;
  if (!(object instanceof Map))
    throw new CommandError(40390, `$objectToArray requires a document input, found: ${typeName(object)}`);
  return [...object].map(
    ([k, v]): Doc =>
      new Map<string, Value>([
        ["k", k],
        ["v", v],
      ]),
  );
});

const arrayToObject = operands(1, 1, ([array]) => {
  if (isNullish(array)) return null;
  const items = arrayOr(
    array,
    (type) => new CommandError(40386, `$arrayToObject requires an array input, found: ${type}`),
  );
  const result: Doc = new Map();
  for (const item of items) {
    const [key, value] =
      item instanceof Map ? [item.get("k"), item.get("v")] : Array.isArray(item) ? item : [];
    if (typeof key !== "string" || value === undefined) {
      throw new CommandError(40392, "$arrayToObject requires an array of key-value pairs");
    }
    result.set(key, value);
  }
  return result;
});

function setOperands(values: readonly (Value | undefined)[], name: string): Value[][] | null {
  if (values.some(isNullish)) return null;
  return values.map((value) =>
    arrayOr(
      value,
      (type) =>
        new CommandError(17041, `All operands of ${name} must be arrays. One argument is of type: ${type}`),
    ),
  );
}

function distinct(items: readonly Value[]): Value[] {
  const found = new Map(items.toReversed().map((item) => [identity(item), item]));
  return [...found.values()].sort(compareValues);
}

const setUnion = operands(0, Infinity, (values, name) => {
  const sets = setOperands(values, name);
  return sets && distinct(sets.flat());
});

const setIntersection = operands(0, Infinity, (values, name) => {
  const sets = setOperands(values, name);
  if (sets === null) return null;
  const [first = [], ...others] = sets;
  const keys = others.map((set) => new Set(set.map(identity)));
  return distinct(first.filter((item) => keys.every((set) => set.has(identity(item)))));
});

const setDifference = operands(2, 2, (values, name) => {
  const sets = setOperands(values, name);
  if (sets === null) return null;
  const [first = [], second = []] = sets;
  const seen = new Set(second.map(identity));
  return first.filter((item) => {
    const key = identity(item);
    return !seen.has(key) && seen.add(key);
  });
});

const setIsSubset = operands(2, 2, (values, name) => {
  const sets = setOperands(values, name);
  if (sets === null) throw new CommandError(17046, "both operands of $setIsSubset must be arrays.");
  const [first = [], second = []] = sets;
  const all = new Set(second.map(identity));
  return first.every((item) => all.has(identity(item)));
});

const isArray = operands(1, 1, ([value]) => Array.isArray(value));

export const ARRAY_OPERATORS: readonly [string, OperatorParser][] = [
  ["$arrayElemAt", elementAt],
  ["$first", endOf((items) => items[0])],
  ["$last", endOf((items) => items[items.length - 1])],
  ["$size", size],
  ["$in", inArray],
  ["$concatArrays", concatArrays],
  ["$slice", slice],
  ["$reverseArray", reverse],
  ["$range", range],
  ["$indexOfArray", indexOfArray],
  ["$objectToArray", objectToArray],
  ["$arrayToObject", arrayToObject],
  ["$setUnion", setUnion],
  ["$setIntersection", setIntersection],
  ["$setDifference", setDifference],
  ["$setIsSubset", setIsSubset],
  ["$isArray", isArray],
];
