import { type Doc, typeName, type Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { parseProjection } from "../query/projection.ts";
import { parseExpression, pathParts } from "./expression.ts";
import type { Evaluate, Parse, ParseContext, Scope } from "./scope.ts";

/** One document in, one document out. */
export type Transform = (document: Doc) => Doc;

/** What stages are parsed with: `variables` changes between runs of a `$lookup`'s inner pipeline. */
export interface StageContext {
  context: ParseContext;
  variables(): Scope["variables"];
}

/** Stages that change each document for itself; undefined for any other stage. */
export function parseTransform(name: string, spec: Value, stage: StageContext): Transform | undefined {
  switch (name) {
    case "$set":
    case "$addFields":
      return parseSetFields(name, spec, stage);
    case "$unset":
      return parseUnset(spec, stage);
    case "$project":
      return parseProject(spec, stage);
    case "$replaceRoot":
      return parseReplace(replaceRootOperand(spec), stage);
    case "$replaceWith":
      return parseReplace(spec, stage);
    default:
      return undefined;
  }
}

/** Evaluates an expression against a document and the variables of the moment. */
export function evaluator(expression: Value, stage: StageContext): (root: Value) => Value | undefined {
  const evaluate = parseExpression(expression, stage.context);
  return (root) => evaluate({ root, variables: stage.variables() });
}

interface FieldTree {
  children: Map<string, FieldTree | Evaluate>;
}

function parseSetFields(name: string, spec: Value, stage: StageContext): Transform {
  if (!(spec instanceof Map)) {
    throw new CommandError(40272, `${name} specification stage must be an object, got ${typeName(spec)}`);
  }
  const tree: FieldTree = { children: new Map() };
  addFields(tree, spec, stage.context, parseExpression);
  stage.context.reads(undefined);
  return (document) => applyFields(document, tree, { root: document, variables: stage.variables() }) as Doc;
}

function addFields(tree: FieldTree, spec: Doc, context: ParseContext, parse: Parse): void {
  for (const [path, value] of spec) {
    const parts = pathParts(path);
    const last = parts.pop() as string;
    let node = tree;
    for (const part of parts) node = childTree(node, part, path);
    const [first] = value instanceof Map ? value.keys() : [];
    if (value instanceof Map && first !== undefined && !first.startsWith("$")) {
      addFields(childTree(node, last, path), value, context, parse);
      continue;
    }
    if (node.children.has(last))
      throw new CommandError(
        40176,
        `Invalid $addFields :: caused by :: specification contains two conflicting paths: ${path}`,
      );
    node.children.set(last, parse(value, context));
  }
}

function childTree(node: FieldTree, name: string, path: string): FieldTree {
  const existing = node.children.get(name);
  if (typeof existing === "function") {
    throw new CommandError(
      40176,
      `Invalid $addFields :: caused by :: specification contains two conflicting paths: ${path}`,
    );
  }
  if (existing !== undefined) return existing;
  const created: FieldTree = { children: new Map() };
  node.children.set(name, created);
  return created;
}

function applyFields(value: Value | undefined, tree: FieldTree, scope: Scope): Value {
  if (Array.isArray(value)) return value.map((item) => applyFields(item, tree, scope));
  const result: Doc = new Map(value instanceof Map ? value : []);
  for (const [name, node] of tree.children) {
    const next = typeof node === "function" ? node(scope) : applyFields(result.get(name), node, scope);
    if (next === undefined) result.delete(name);
    else result.set(name, next);
  }
  return result;
}

function parseUnset(spec: Value, stage: StageContext): Transform {
  const paths = Array.isArray(spec) ? spec : [spec];
  if (paths.length === 0 || !paths.every((path) => typeof path === "string")) {
    throw new CommandError(31002, "$unset specification must be a string or an array");
  }
  stage.context.reads(undefined);
  const project = parseProjection(
    new Map(paths.map((path) => [path as string, false])),
    () => () => undefined,
    true,
  );
  return project ?? ((document) => document);
}

function parseProject(spec: Value, stage: StageContext): Transform {
  if (!(spec instanceof Map)) throw new CommandError(15969, "$project specification must be an object");
  if (spec.size === 0)
    throw new CommandError(
      51272,
      "Invalid $project :: caused by :: projection specification must have at least one field",
    );
  stage.context.reads(undefined);
  const project = parseProjection(spec, (expression) => evaluator(expression, stage), true);
  return project ?? ((document) => document);
}

function replaceRootOperand(spec: Value): Value {
  const operand = spec instanceof Map ? spec.get("newRoot") : undefined;
  if (operand === undefined)
    throw new CommandError(40414, "BSON field '$replaceRoot.newRoot' is missing but a required field");
  return operand;
}

function parseReplace(operand: Value, stage: StageContext): Transform {
  const evaluate = evaluator(operand, stage);
  stage.context.reads(undefined);
  return (document) => {
    const result = evaluate(document);
    if (result instanceof Map) return result;
    throw new CommandError(
      40228,
      `'newRoot' expression must evaluate to an object, but resulting value was: ${result === undefined ? "MISSING" : typeName(result)}. Type of resulting value: '${typeName(result)}'.`,
    );
  };
}
