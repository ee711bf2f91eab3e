import { equalValues } from "../bson/compare.ts";
import { shellText } from "../bson/shell-text.ts";
import { type Doc, typeName, type Value } from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";
import { type Evaluate, type Now, parseExpression } from "../query/expression.ts";
import { type Change, UPDATE_OPERATORS, type UpdateOperator } from "./operators.ts";
import { comparePaths, locate } from "./paths.ts";

export interface Update {
  kind: "operators" | "replacement" | "pipeline";
  /** Top-level fields that may change; undefined: any. */
  changes: ReadonlySet<string> | undefined;
  /**
   * The changed document; `document` itself may be altered and must not be used afterwards.
   * @param inserting set for an upsert
   */
  apply(document: Doc, inserting: boolean): Doc;
}

/** Stages that the pipeline of an update may have. */
export const UPDATE_STAGES: readonly string[] = ["$set"];

/** Parses the update of `update` and `findAndModify`. Errors are worded and numbered as MongoDB's. */
export function parseUpdate(update: Value, now: Now): Update {
  if (Array.isArray(update)) return parsePipeline(update, now);
  if (!(update instanceof Map))
    throw new CommandError(9, "Update argument must be either an object or an array");
  const [first] = update.keys();
  if (first?.startsWith("$") === true) return parseOperators(update);
  for (const name of update.keys()) if (name.startsWith("$")) throw dollarField(name, name);
  return {
    kind: "replacement",
    changes: undefined,
    apply: (document) => keepId(document.get("_id"), update),
  };
}

function parsePipeline(stages: readonly Value[], now: Now): Update {
  const sets = stages.map((stage) => {
    const [name = ""] = stage instanceof Map ? stage.keys() : [];
    const fields = stage instanceof Map && stage.size === 1 ? stage.get(name) : undefined;
    if (!UPDATE_STAGES.includes(name)) {
      throw new CommandError(40324, `Unrecognized pipeline stage name: '${name}'`);
    }
    if (!(fields instanceof Map)) throw notImplemented("a $set that is not an object");
    return [...fields].map(([path, expression]) => [path, parseSet(path, expression, now)] as const);
  });
  const apply = (document: Doc): Doc => {
    let current = document;
    for (const fields of sets) {
      const next: Doc = new Map(current);
      for (const [path, evaluate] of fields) {
        const value = evaluate(current);
        if (value === undefined) next.delete(path);
        else next.set(path, value);
      }
      current = next;
    }
    return keepId(document.get("_id"), current);
  };
  return { kind: "pipeline", changes: undefined, apply };
}

function parseSet(path: string, expression: Value, now: Now): Evaluate {
  if (pathParts(path).length > 1) throw notImplemented("a dotted path in a pipeline's $set");
  try {
    return parseExpression(expression, now);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(error.code, `Invalid $set :: caused by :: ${error.message}`);
  }
}

/** The new document with the old _id in front; a changed _id is refused. */
function keepId(id: Value | undefined, document: Doc): Doc {
  const given = document.get("_id");
  if (id === undefined) return document;
  if (given !== undefined && !equalValues(given, id)) {
    throw new CommandError(
      66,
      `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${shellText(given)}`,
    );
  }
  const result: Doc = new Map([["_id", id]]);
  for (const [name, value] of document) if (name !== "_id") result.set(name, value);
  return result;
}

interface Step {
  readonly parts: readonly string[];
  readonly operator: UpdateOperator;
  readonly change: Change;
}

function parseOperators(update: Doc): Update {
  const steps: Step[] = [];
  for (const [name, fields] of update) {
    const operator = UPDATE_OPERATORS.get(name);
    if (operator === undefined) {
      throw new CommandError(
        9,
        `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
      );
    }
    if (!(fields instanceof Map)) {
      throw new CommandError(
        9,
        `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}} not {${name}: ${shellText(fields)}}`,
      );
    }
    for (const [path, operand] of fields) {
      steps.push({ parts: pathParts(path), operator, change: operator.parse(operand, path) });
    }
  }
  steps.sort((a, b) => comparePaths(a.parts, b.parts));
  refuseConflicts(steps);
  return {
    kind: "operators",
    changes: new Set(steps.map((step) => step.parts[0] as string)),
    apply: (document, inserting) => {
      const id = document.get("_id");
      for (const { parts, operator, change } of steps) {
        if (operator.onlyInsert && !inserting) continue;
        const target = locate(document, parts, !operator.onlyExisting);
        if (target !== undefined) change(target, id ?? null);
      }
      checkId(id, document.get("_id"), steps);
      return document;
    },
  };
}

function checkId(before: Value | undefined, after: Value | undefined, steps: readonly Step[]): void {
  if (before === undefined || before === after) return;
  if (after !== undefined && equalValues(before, after)) return;
  const path = steps.find((step) => step.parts[0] === "_id")?.parts.join(".") ?? "_id";
  throw new CommandError(
    66,
    `Performing an update on the path '${path}' would modify the immutable field '_id'`,
  );
}

function dollarField(name: string, path: string): CommandError {
  return new CommandError(
    52,
    `The dollar ($) prefixed field '${name}' in '${path}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
  );
}

function pathParts(path: string): string[] {
  if (path === "") throw new CommandError(56, "An empty update path is not valid.");
  const parts = path.split(".");
  if (parts.includes("")) {
    throw new CommandError(
      56,
      `The update path '${path}' contains an empty field name, which is not allowed.`,
    );
  }
  if (parts[0]?.startsWith("$")) throw dollarField(parts[0], path);
  if (parts.some((part) => part.startsWith("$"))) throw notImplemented("a position in an array");
  return parts;
}

function refuseConflicts(steps: readonly Step[]): void {
  for (let at = 1; at < steps.length; at++) {
    const before = (steps[at - 1] as Step).parts;
    const parts = (steps[at] as Step).parts;
    if (before.every((part, index) => parts[index] === part)) {
      throw new CommandError(
        40,
        `Updating the path '${parts.join(".")}' would create a conflict at '${before.join(".")}'`,
      );
    }
  }
}
