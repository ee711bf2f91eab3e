import { withDamageKept } from "../bson/damaged.ts";
import { encodeDocument } from "../bson/encode.ts";
import { toDouble } from "../bson/numbers.ts";
import { fieldSelector } from "../bson/select.ts";
import { type Doc, isNumeric, RawDoc, type Value } from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";
import { matches } from "./matches.ts";
import { type ParseExpression, parseFilter } from "./parse-filter.ts";

export type Projection = (document: Doc) => Doc;

/** A projection as a tree of field names. */
interface Tree {
  children: Map<string, Tree | Leaf>;
}
type Leaf =
  | { kind: "keep" }
  | { kind: "drop" }
  | { kind: "compute"; evaluate: (root: Value) => Value | undefined }
  | { kind: "slice"; slice: (values: readonly Value[]) => Value[] }
  | { kind: "elemMatch"; test: (item: Value) => boolean };

const KEEP: Leaf = { kind: "keep" };
const DROP: Leaf = { kind: "drop" };

/** Parses `$project`. Undefined: every field, as it is. */
export function parseProjection(
  spec: Doc,
  parseExpression: ParseExpression,
  stage = false,
): Projection | undefined {
  const parsed = parse(spec, parseExpression, stage);
  return parsed && ((document) => applyTree(document, parsed.tree, parsed.including, document));
}

/**
 * Parses the projection of `find` and `findAndModify`, which gets documents as they are stored: fields that it keeps
 * have their bytes, whether or not these are right, and those that it leaves out are not looked at.
 */
export function parseStoredProjection(
  spec: Doc | undefined,
  parseExpression: ParseExpression,
): (bytes: Buffer) => RawDoc {
  const parsed = spec && parse(spec, parseExpression, false);
  if (parsed === undefined) return (bytes) => new RawDoc(bytes);
  const { tree, including } = parsed;
  const nodes = [...tree.children];
  const isPlain = including && !hasComputed(tree);
  const select = fieldSelector(isPlain ? tree.children.keys() : undefined);
  const changed = new Set(nodes.flatMap(([name, node]) => (node === KEEP ? [] : [name])));
  return (bytes) => {
    const document = select(bytes);
    const projected = encodeDocument(applyTree(document, tree, including, document));
    return new RawDoc(withDamageKept(projected, bytes, false, changed));
  };
}

interface Parsed {
  readonly tree: Tree;
  readonly including: boolean;
}

function parse(spec: Doc, parseExpression: ParseExpression, stage: boolean): Parsed | undefined {
  if (spec.size === 0) return undefined;
  const tree: Tree = { children: new Map() };
  const mode: { including: boolean | undefined } = { including: undefined };
  let id: Leaf | undefined;
  const visit = (path: string, value: Value) => {
    const leaf = parseLeaf(path, value, parseExpression, stage);
    if (leaf === undefined) {
      for (const [name, nested] of value as Doc) visit(`${path}.${name}`, nested);
      return;
    }
    if (path === "_id" && (leaf.kind === "keep" || leaf.kind === "drop")) {
      id = leaf;
      return;
    }
    decideMode(mode, leaf, path, stage);
    insertLeaf(tree, path, leaf);
  };
  for (const [path, value] of spec) visit(path, value);
  // With only _id given, it decides; operators that keep or change an array leave the other fields in place.
  const including = mode.including ?? id?.kind === "keep";
  if (including ? id?.kind !== "drop" : id?.kind === "drop") {
    tree.children.set("_id", including ? KEEP : DROP);
  }
  return { tree, including };
}

function decideMode(
  mode: { including: boolean | undefined },
  leaf: Leaf,
  path: string,
  stage: boolean,
): void {
  if (leaf.kind === "slice") return;
  const includes = leaf.kind !== "drop";
  if (mode.including === undefined) mode.including = includes;
  else if (mode.including !== includes) {
    if (mode.including) {
      throw new CommandError(
        31254,
        `${stage ? "Invalid $project :: caused by :: " : ""}Cannot do exclusion on field ${path} in inclusion projection`,
      );
    }
    throw new CommandError(
      31253,
      `${stage ? "Invalid $project :: caused by :: " : ""}Cannot do inclusion on field ${path} in exclusion projection`,
    );
  }
}

function parseLeaf(
  path: string,
  value: Value,
  parseExpression: ParseExpression,
  stage: boolean,
): Leaf | undefined {
  if (path.split(".").some((part) => part === ""))
    throw new CommandError(40353, "FieldPath must not end with a '.'.");
  if (path.includes("$")) throw notImplemented(`the projection of '${path}'`);
  if (isNumeric(value)) return toDouble(value) !== 0 ? KEEP : DROP;
  if (typeof value === "boolean") return value ? KEEP : DROP;
  if (!(value instanceof Map)) return { kind: "compute", evaluate: parseExpression(value) };
  if (value.size === 0)
    throw new CommandError(51270, "An empty sub-projection is not a valid value. Found empty object at path");
  const [operator] = value.keys();
  if (operator === undefined || !operator.startsWith("$")) return undefined;
  if (!stage && operator === "$slice")
    return { kind: "slice", slice: parseSlice(value.get("$slice") ?? null) };
  if (!stage && operator === "$elemMatch")
    return { kind: "elemMatch", test: elementTest(value, parseExpression) };
  if (operator === "$meta") throw notImplemented("$meta");
  return { kind: "compute", evaluate: parseComputed(value, operator, parseExpression) };
}

/** Here, and only here, an operator that is not known has another number. */
function parseComputed(value: Doc, operator: string, parseExpression: ParseExpression) {
  if (value.size > 1) {
    throw new CommandError(
      16410,
      "FieldPath field names may not start with '$'. Consider using $getField or $setField.",
    );
  }
  try {
    return parseExpression(value);
  } catch (error) {
    const unknown = error instanceof CommandError && error.code === 168;
    throw unknown ? new CommandError(31325, `Unknown expression ${operator}`) : error;
  }
}

function elementTest(operand: Doc, parseExpression: ParseExpression): (item: Value) => boolean {
  const filter = parseFilter(new Map([["item", operand]]), parseExpression);
  return (item) => matches(filter, new Map([["item", [item]]]));
}

function parseSlice(operand: Value): (values: readonly Value[]) => Value[] {
  const whole = (value: Value | undefined) => {
    if (!isNumeric(value))
      throw new CommandError(
        28667,
        "Invalid $slice syntax. The given syntax did not match the find() syntax",
      );
    return Math.trunc(toDouble(value));
  };
  if (!Array.isArray(operand)) {
    const count = whole(operand);
    return (values) => (count < 0 ? values.slice(count) : values.slice(0, count));
  }
  const skip = whole(operand[0]);
  const count = whole(operand[1]);
  if (operand.length !== 2 || count <= 0)
    throw new CommandError(28724, "First argument to $slice must be an array");
  return (values) => {
    const start = skip < 0 ? Math.max(0, values.length + skip) : skip;
    return values.slice(start, start + count);
  };
}

function insertLeaf(tree: Tree, path: string, leaf: Leaf): void {
  const parts = path.split(".");
  const last = parts.pop() as string;
  let node = tree;
  for (const part of parts) {
    const next = node.children.get(part);
    if (next !== undefined && !("children" in next)) throw collision(path, part);
    if (next === undefined) {
      const created: Tree = { children: new Map() };
      node.children.set(part, created);
      node = created;
    } else node = next;
  }
  const existing = node.children.get(last);
  if (existing !== undefined) throw new CommandError(31250, `Path collision at ${path}`);
  node.children.set(last, leaf);
}

function collision(path: string, part: string): CommandError {
  const at = path.split(".").indexOf(part) + 1;
  return new CommandError(
    31249,
    `Path collision at ${path} remaining portion ${path.split(".").slice(at).join(".")}`,
  );
}

function applyTree(document: Doc, tree: Tree, including: boolean, root: Doc): Doc {
  const result: Doc = new Map();
  for (const [name, value] of document) {
    const node = tree.children.get(name);
    if (node === undefined) {
      if (!including) result.set(name, value);
      continue;
    }
    const projected = "children" in node ? applyNested(value, node, including, root) : applyLeaf(value, node);
    if (projected !== undefined) result.set(name, projected);
  }
  addComputed(result, document, tree, including, root);
  return result;
}

function applyNested(value: Value, tree: Tree, including: boolean, root: Doc): Value | undefined {
  if (value instanceof Map) return applyTree(value, tree, including, root);
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      const projected = applyNested(item, tree, including, root);
      return projected === undefined ? [] : [projected];
    });
  }
  return including ? undefined : value;
}

function applyLeaf(value: Value, leaf: Leaf): Value | undefined {
  switch (leaf.kind) {
    case "keep":
      return value;
    case "drop":
    case "compute":
      return undefined;
    case "slice":
      return Array.isArray(value) ? leaf.slice(value) : value;
    case "elemMatch": {
      const found = Array.isArray(value) ? value.find(leaf.test) : undefined;
      return found === undefined ? undefined : [found];
    }
  }
}

/** Computed fields come after the document's own, in the order of the projection. */
function addComputed(result: Doc, document: Doc, tree: Tree, including: boolean, root: Doc): void {
  for (const [name, node] of tree.children) {
    if ("children" in node) {
      if (hasComputed(node) && !(document.get(name) instanceof Map) && !Array.isArray(document.get(name))) {
        result.set(name, applyTree(new Map(), node, including, root));
      }
    } else if (node.kind === "compute") {
      const value = node.evaluate(root);
      if (value !== undefined) result.set(name, value);
    }
  }
}

function hasComputed(tree: Tree): boolean {
  return [...tree.children.values()].some((node) =>
    "children" in node ? hasComputed(node) : node.kind === "compute",
  );
}
