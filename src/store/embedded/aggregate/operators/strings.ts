import { DateTime, Int32, isNumeric, RegexValue, typeName, type Value } from "../../bson/values.ts";
import { CommandError, notImplemented } from "../../errors.ts";
import { compileRegex } from "../../query/regex.ts";
import type { OperatorParser } from "../scope.ts";
import { isNullish, namedOperands, operands, wholeNumber } from "./helpers.ts";
import { stringOf } from "./to-string.ts";

const concat = operands(0, Infinity, (values) => {
  const texts: string[] = [];
  for (const value of values) {
    if (isNullish(value)) return null;
    if (typeof value !== "string")
      throw new CommandError(16702, `$concat only supports strings, not ${typeName(value)}`);
    texts.push(value);
  }
  return texts.join("");
});

/** Only the letters of ASCII change case, as in MongoDB. */
function changeCase(pattern: RegExp, change: (letter: string) => string): OperatorParser {
  return operands(1, 1, ([value], name) => {
    if (isNullish(value)) return "";
    return text(value, name).replace(pattern, change);
  });
}

function text(value: Value, name: string): string {
  if (typeof value === "string") return value;
  if (isNumeric(value) || value instanceof DateTime) return stringOf(value);
  throw new CommandError(16007, `can't convert from BSON type ${typeName(value)} to String in ${name}`);
}

const substring = operands(3, 3, ([value, start, count], name) => {
  const points = isNullish(value) ? [] : [...text(value, name)];
  const from = wholeNumber(start ?? null, name, 34450);
  const length = wholeNumber(count ?? null, name, 34452);
  if (from < 0)
    throw new CommandError(
      34451,
      `${name}: the starting index must be non-negative integer (found: ${from})`,
    );
  if (length < 0) throw new CommandError(34454, `${name}: length must be a nonnegative integer.`);
  return points.slice(from, from + length).join("");
});

function length(measure: (value: string) => number, code: number): OperatorParser {
  return operands(1, 1, ([value], name) => {
    if (typeof value !== "string")
      throw new CommandError(code, `${name} requires a string argument, found: ${typeName(value)}`);
    return new Int32(measure(value));
  });
}

const split = operands(2, 2, ([value, separator]) => {
  if (isNullish(value) || isNullish(separator)) return null;
  if (typeof value !== "string")
    throw new CommandError(
      40085,
      `$split requires an expression that evaluates to a string as a first argument, found: ${typeName(value)}`,
    );
  if (typeof separator !== "string")
    throw new CommandError(
      40086,
      `$split requires an expression that evaluates to a string as a second argument, found: ${typeName(separator)}`,
    );
  if (separator === "") throw new CommandError(40087, "$split requires a non-empty separator");
  return value.split(separator);
});

const regexMatch: OperatorParser = (operand, context, parse, name) => {
  const named = namedOperands(operand, name, ["input", "regex"], ["options"]);
  const input = parse(named.get("input") ?? null, context);
  const regex = parse(named.get("regex") ?? null, context);
  const options = parse(named.get("options") ?? "", context);
  return (scope) => {
    const value = input(scope);
    const pattern = regex(scope);
    if (isNullish(value) || isNullish(pattern)) return false;
    if (typeof value !== "string")
      throw new CommandError(51104, `${name} needs 'input' to be of type string`);
    const flags = options(scope);
    const source =
      pattern instanceof RegexValue
        ? pattern
        : typeof pattern === "string"
          ? new RegexValue(pattern, typeof flags === "string" ? flags : "")
          : undefined;
    if (source === undefined)
      throw new CommandError(51105, `${name} needs 'regex' to be of type string or regex`);
    return compileRegex(source).compiled.test(value);
  };
};

/** White space as MongoDB counts it, and NUL. */
const BLANK = "\\0\\t\\n\\x0b\\f\\r \\u00a0\\u1680\\u2000-\\u200a";

function trim(left: boolean, right: boolean): OperatorParser {
  const start = left ? new RegExp(`^[${BLANK}]+`) : undefined;
  const end = right ? new RegExp(`[${BLANK}]+$`) : undefined;
  return (operand, context, parse, name) => {
    const named = namedOperands(operand, name, ["input"], ["chars"]);
    if (named.has("chars")) throw notImplemented(`the option 'chars' of ${name}`);
    const input = parse(named.get("input") ?? null, context);
    return (scope) => {
      let value = input(scope);
      if (isNullish(value)) return null;
      if (typeof value !== "string")
        throw new CommandError(50699, `${name} requires its input to be a string, got ${typeName(value)}`);
      if (start !== undefined) value = value.replace(start, "");
      return end === undefined ? value : value.replace(end, "");
    };
  };
}

export const STRING_OPERATORS: readonly [string, OperatorParser][] = [
  ["$concat", concat],
  ["$toLower", changeCase(/[A-Z]/g, (letter) => letter.toLowerCase())],
  ["$toUpper", changeCase(/[a-z]/g, (letter) => letter.toUpperCase())],
  ["$substrCP", substring],
  ["$strLenCP", length((value) => [...value].length, 34471)],
  ["$strLenBytes", length((value) => Buffer.byteLength(value), 34473)],
  ["$split", split],
  ["$regexMatch", regexMatch],
  ["$trim", trim(true, true)],
  ["$ltrim", trim(true, false)],
  ["$rtrim", trim(false, true)],
];
