import { DateTime, type Doc, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { ARITHMETIC_OPERATORS } from "./operators/arithmetic.ts";
import { ARRAY_OPERATORS } from "./operators/arrays.ts";
import { COMPARISON_OPERATORS } from "./operators/comparison.ts";
import { CONTROL_OPERATORS } from "./operators/control.ts";
import { DATE_OPERATORS } from "./operators/dates.ts";
import { LIST_OPERATORS } from "./operators/lists.ts";
import { STRING_OPERATORS } from "./operators/strings.ts";
import { TYPE_OPERATORS } from "./operators/types.ts";
import type { Evaluate, OperatorParser, ParseContext } from "./scope.ts";

const OPERATORS: ReadonlyMap<string, OperatorParser> = new Map([
  ...ARITHMETIC_OPERATORS,
  ...ARRAY_OPERATORS,
  ...COMPARISON_OPERATORS,
  ...CONTROL_OPERATORS,
  ...DATE_OPERATORS,
  ...LIST_OPERATORS,
  ...STRING_OPERATORS,
  ...TYPE_OPERATORS,
]);

/** Parses an aggregation expression. Whatever is not known is refused, as MongoDB refuses what it does not know. */
export function parseExpression(expression: Value, context: ParseContext): Evaluate {
  if (typeof expression === "string") {
    if (expression.startsWith("$$")) return variable(expression.slice(2), context);
    if (expression.startsWith("$")) return fieldPath(expression.slice(1), context);
    return () => expression;
  }
  if (Array.isArray(expression)) {
    const items = expression.map((item) => parseExpression(item, context));
    return (scope) => items.map((item) => item(scope) ?? null);
  }
  if (!(expression instanceof Map)) return () => expression;
  const [first] = expression.keys();
  if (first?.startsWith("$") !== true) return objectExpression(expression, context);
  if (expression.size !== 1) {
    throw new CommandError(
      15983,
      `An object representing an expression must have exactly one field: { ${[...expression.keys()].join(", ")} }`,
    );
  }
  const parser = OPERATORS.get(first);
  if (parser === undefined) throw new CommandError(168, `Unrecognized expression '${first}'`);
  return parser(expression.get(first) as Value, context, parseExpression, first);
}

function objectExpression(expression: Doc, context: ParseContext): Evaluate {
  const fields = [...expression].map(([name, value]) => {
    if (name.includes(".")) {
      throw new CommandError(
        16412,
        `FieldPath field names may not contain '.'. Consider using $getField or $setField.`,
      );
    }
    return [name, parseExpression(value, context)] as const;
  });
  return (scope) => {
    const result: Doc = new Map();
    for (const [name, evaluate] of fields) {
      const value = evaluate(scope);
      if (value !== undefined) result.set(name, value);
    }
    return result;
  };
}

function fieldPath(path: string, context: ParseContext): Evaluate {
  const parts = pathParts(path);
  context.reads(parts[0]);
  return (scope) => valueAt(scope.root, parts, 0);
}

function variable(text: string, context: ParseContext): Evaluate {
  const [name = "", ...parts] = text.split(".");
  if (parts.length > 0) pathParts(parts.join("."));
  switch (name) {
    case "ROOT":
    case "CURRENT":
      context.reads(parts[0]);
      return (scope) => valueAt(scope.root, parts, 0);
    case "NOW": {
      // One moment for the whole command, as it began.
      const now = new DateTime(context.now());
      return () => now;
    }
    case "REMOVE":
      return () => undefined;
  }
  if (!context.variables.has(name)) throw new CommandError(17276, `Use of undefined variable: ${name}`);
  return (scope) => valueAt(scope.variables.get(name), parts, 0);
}

export function pathParts(path: string): string[] {
  if (path === "") throw new CommandError(16872, "'$' by itself is not a valid FieldPath");
  const parts = path.split(".");
  if (parts.includes("")) {
    throw path.endsWith(".")
      ? new CommandError(40353, "FieldPath must not end with a '.'.")
      : new CommandError(15998, "FieldPath field names may not be empty strings.");
  }
  const dollar = parts.find((part) => part.startsWith("$"));
  if (dollar !== undefined) {
    throw new CommandError(
      16410,
      `FieldPath field names may not start with '$'. Consider using $getField or $setField.`,
    );
  }
  return parts;
}

/** An array on the way stands for its documents, and the values found in them come as an array. */
export function valueAt(value: Value | undefined, parts: readonly string[], at: number): Value | undefined {
  if (at === parts.length) return value;
  if (value instanceof Map) return valueAt(value.get(parts[at] as string), parts, at + 1);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item) => {
    const found = item instanceof Map ? valueAt(item, parts, at) : undefined;
    return found === undefined ? [] : [found];
  });
}
