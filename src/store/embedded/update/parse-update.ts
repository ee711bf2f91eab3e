import { equalValues } from "../bson/compare.ts";
import { shellText } from "../bson/shell-text.ts";
import { type Doc, typeName, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import type { Filter } from "../query/filter.ts";
import type { ParseExpression } from "../query/parse-filter.ts";
import {
  type Change,
  parseAddToSet,
  parsePop,
  parsePull,
  parsePullAll,
  parsePush,
} from "./array-operators.ts";
import { type ArrayFilters, expandPath, parseArrayFilters } from "./expand-path.ts";
import { parseArithmetic, parseBit, parseCurrentDate, parseExtreme, parseSet } from "./field-operators.ts";
import { comparePaths, locate } from "./paths.ts";

/** What an update needs to know beside its text. */
export interface UpdateContext {
  parseExpression: ParseExpression;
  /** Makes a function of an update given as a pipeline. */
  parsePipeline(stages: readonly Value[], constants: Doc | undefined): (document: Doc) => Doc;
  now(): number;
}

/** What an update says beside the changed document. */
export interface UpdateNotes {
  /** The document counts as modified even when it came out the same. */
  counts: boolean;
}

export interface Update {
  kind: "operators" | "replacement" | "pipeline";
  /** Top-level fields that may change; undefined: any. */
  changes: ReadonlySet<string> | undefined;
  /**
   * The changed document; `document` itself may be altered and must not be used afterwards. `filter` tells which
   * element a positional "$" means; `inserting` is set for an upsert.
   */
  apply(document: Doc, filter: Filter, inserting: boolean, notes?: UpdateNotes): Doc;
}

/** Parses the update of `update` and `findAndModify`. Errors are worded and numbered as MongoDB's. */
export function parseUpdate(
  update: Value,
  options: { arrayFilters?: Value | undefined; constants?: Value | undefined },
  context: UpdateContext,
): Update {
  if (Array.isArray(update)) {
    const constants = options.constants instanceof Map ? options.constants : undefined;
    const run = context.parsePipeline(update, constants);
    return {
      kind: "pipeline",
      changes: undefined,
      apply: (document) => keepId(document.get("_id"), run(document)),
    };
  }
  if (!(update instanceof Map))
    throw new CommandError(9, "Update argument must be either an object or an array");
  const [first] = update.keys();
  if (first?.startsWith("$") !== true) {
    return { kind: "replacement", changes: undefined, apply: (document) => replaced(document, update) };
  }
  return parseOperators(update, parseArrayFilters(options.arrayFilters, context.parseExpression), context);
}

function replaced(document: Doc, replacement: Doc): Doc {
  for (const name of replacement.keys()) {
    if (name.startsWith("$")) {
      throw new CommandError(
        52,
        `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      );
    }
  }
  return keepId(document.get("_id"), replacement);
}

/** The new document with the old _id in front; changing it is refused. */
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
  parts: string[];
  onlyInsert: boolean;
  /** Whether missing documents on the way are made. */
  create: boolean;
  change: Change;
}

function parseOperators(update: Doc, arrayFilters: ArrayFilters, context: UpdateContext): Update {
  const steps: Step[] = [];
  for (const [operator, fields] of update) {
    if (!OPERATORS.has(operator)) {
      throw new CommandError(
        9,
        `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
      );
    }
    if (!(fields instanceof Map)) {
      throw new CommandError(
        9,
        `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${shellText(fields)}}`,
      );
    }
    for (const [path, operand] of fields) steps.push(...parseStep(operator, path, operand, context));
  }
  steps.sort((a, b) => comparePaths(a.parts, b.parts));
  refuseConflicts(steps);
  arrayFilters.requireUse(
    steps.map((step) => step.parts),
    update,
  );
  const changes = new Set(steps.map((step) => step.parts[0] as string));
  return {
    kind: "operators",
    changes,
    apply: (document, filter, inserting, notes) => {
      const id = document.get("_id");
      for (const step of steps) {
        if (!step.onlyInsert || inserting) applyStep(document, step, filter, arrayFilters, notes);
      }
      if (id !== undefined && changes.has("_id")) checkId(id, document.get("_id"), steps);
      return document;
    },
  };
}

function checkId(before: Value, after: Value | undefined, steps: readonly Step[]): void {
  if (after !== undefined && equalValues(before, after)) return;
  const path = steps.find((step) => step.parts[0] === "_id")?.parts.join(".") ?? "_id";
  throw new CommandError(
    66,
    `Performing an update on the path '${path}' would modify the immutable field '_id'`,
  );
}

function applyStep(
  document: Doc,
  step: Step,
  filter: Filter,
  arrayFilters: ArrayFilters,
  notes?: UpdateNotes,
): void {
  for (const parts of expandPath(document, step.parts, filter, arrayFilters)) {
    const target = locate(document, parts, step.create);
    if (target === undefined) continue;
    if (step.change(target, parts.join("."), document) === "counts" && notes !== undefined)
      notes.counts = true;
  }
}

const OPERATORS = new Set([
  "$set",
  "$setOnInsert",
  "$unset",
  "$inc",
  "$mul",
  "$min",
  "$max",
  "$currentDate",
  "$bit",
  "$push",
  "$addToSet",
  "$pull",
  "$pullAll",
  "$pop",
  "$rename",
]);

function parseStep(operator: string, path: string, operand: Value, context: UpdateContext): Step[] {
  const parts = pathParts(path);
  const step = (change: Change, create = true): Step[] => [{ parts, onlyInsert: false, create, change }];
  switch (operator) {
    case "$set":
      return step(parseSet(operand));
    case "$setOnInsert":
      return [{ parts, onlyInsert: true, create: true, change: parseSet(operand) }];
    case "$unset":
      return step(unset, false);
    case "$inc":
    case "$mul":
      return step(parseArithmetic(operator, operand, path));
    case "$min":
    case "$max":
      return step(parseExtreme(operator, operand));
    case "$currentDate":
      return step(parseCurrentDate(operand, context.now));
    case "$bit":
      return step(parseBit(operand));
    case "$push":
      return step(parsePush(operand));
    case "$addToSet":
      return step(parseAddToSet(operand));
    case "$pull":
      return step(parsePull(operand, context.parseExpression), false);
    case "$pullAll":
      return step(parsePullAll(operand), false);
    case "$pop":
      return step(parsePop(operand), false);
    default:
      return parseRename(parts, path, operand);
  }
}

const unset: Change = (target) => {
  target.unset();
  return undefined;
};

function pathParts(path: string): string[] {
  if (path === "") throw new CommandError(56, "An empty update path is not valid.");
  const parts = path.split(".");
  if (parts.includes("")) {
    throw new CommandError(
      56,
      `The update path '${path}' contains an empty field name, which is not allowed.`,
    );
  }
  const dollar = parts.find((part) => part.startsWith("$") && part !== "$" && !/^\$\[.*\]$/.test(part));
  if (dollar !== undefined && parts[0] === dollar) {
    throw new CommandError(
      52,
      `The dollar ($) prefixed field '${dollar}' in '${path}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
    );
  }
  return parts;
}

/** $rename takes the value away from one place before it is set in the other: two steps that share it. */
function parseRename(parts: string[], path: string, operand: Value): Step[] {
  if (typeof operand !== "string") {
    throw new CommandError(2, `The 'to' field for $rename must be a string: ${path}: ${shellText(operand)}`);
  }
  const to = pathParts(operand);
  for (const part of [...parts, ...to]) {
    if (part === "$" || part.startsWith("$[")) {
      throw new CommandError(2, `The source field for $rename may not be dynamic: ${path}`);
    }
  }
  if (path === operand) {
    throw new CommandError(2, `The source and target field for $rename must differ: ${path}: "${operand}"`);
  }
  return [
    // The source only takes part in the check for conflicts: the target's step moves the value.
    { parts, onlyInsert: false, create: false, change: () => undefined },
    { parts: to, onlyInsert: false, create: true, change: renameInto(parts) },
  ];
}

function renameInto(from: readonly string[]): Change {
  return (target, _path, root) => {
    const source = locate(root, from, false);
    if (source?.value === undefined) return undefined;
    target.set(source.value);
    source.unset();
    return undefined;
  };
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
