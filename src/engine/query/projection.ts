import { decodeDocument, eachElement } from "../bson/decode.ts";
import { encodeDocument } from "../bson/encode.ts";
import { toDouble } from "../bson/numbers.ts";
import { type Doc, isNumeric, RawDoc, TYPE, type Value } from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";
import { type Evaluate, type Now, parseExpression } from "./expression.ts";

/** Derives the returned document from a stored one. */
export type Projection = (bytes: Buffer) => RawDoc;

/** A projection may include a field, exclude it or a part of it, or compute it. */
export const PROJECTION_FORMS = ["inclusion", "exclusion", "exclusion of a path", "computed"] as const;

/** Fields by name: the whole field, or its named parts. */
interface Fields extends Map<string, "whole" | Fields> {}

/** Parses the projection of `find`. Undefined: every field unchanged. */
export function parseProjection(spec: Doc, now: Now): Projection | undefined {
  if (spec.size === 0) return undefined;
  const named: Fields = new Map();
  const computed = new Map<string, Evaluate>();
  let includes: boolean | undefined;
  let id: boolean | undefined;
  for (const [path, value] of spec) {
    const keeps = isNumeric(value) ? toDouble(value) !== 0 : value;
    if (!isServed(path, keeps)) throw notImplemented(`the projection of '${path}'`);
    if (path === "_id" && typeof keeps === "boolean") {
      id = keeps;
      continue;
    }
    if (path === "_id") throw notImplemented("a computed _id");
    if (typeof keeps === "boolean") addPath(named, path);
    else computed.set(path, parseComputed(value, now));
    if (includes !== undefined && includes !== (keeps !== false)) throw mixed(path, includes);
    includes = keeps !== false;
  }
  // With only _id, its value decides.
  includes ??= id === true;
  if (includes ? id !== false : id === false) named.set("_id", "whole");
  return includes
    ? (bytes) => include(bytes, named, computed)
    : (bytes) => {
        const parts: Buffer[] = [];
        exclude(bytes, 0, named, parts);
        return new RawDoc(Buffer.concat(parts));
      };
}

/** Paths are supported in exclusions, and not within `_id`. */
function isServed(path: string, keeps: Value): boolean {
  const names = path.split(".");
  if (names.some((name) => name === "" || name.startsWith("$"))) return false;
  return names.length === 1 || (keeps === false && names[0] !== "_id");
}

function addPath(fields: Fields, path: string): void {
  const names = path.split(".");
  const last = names.pop() as string;
  let parent = fields;
  for (const name of names) {
    const found = parent.get(name) ?? new Map();
    if (found === "whole") {
      const rest = path.slice(path.indexOf(".") + 1);
      throw new CommandError(31249, `Path collision at ${path} remaining portion ${rest}`);
    }
    parent.set(name, found);
    parent = found;
  }
  if (parent.has(last)) throw new CommandError(31250, `Path collision at ${path}`);
  parent.set(last, "whole");
}

function mixed(path: string, includes: boolean): CommandError {
  return includes
    ? new CommandError(31254, `Cannot do exclusion on field ${path} in inclusion projection`)
    : new CommandError(31253, `Cannot do inclusion on field ${path} in exclusion projection`);
}

/** Only here, an unknown operator has another error code. */
function parseComputed(value: Value, now: Now): Evaluate {
  try {
    return parseExpression(value, now);
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== 168) throw error;
    throw new CommandError(31325, `Unknown expression ${value instanceof Map ? [...value.keys()][0] : ""}`);
  }
}

/** Included elements are copied unchanged; computed fields follow, in the order of the projection. */
function include(bytes: Buffer, named: Fields, computed: ReadonlyMap<string, Evaluate>): RawDoc {
  const parts: Buffer[] = [Buffer.alloc(4)];
  eachElement(bytes, 0, (_type, nameStart, nameStop, _at, limit) => {
    if (named.has(bytes.toString("utf8", nameStart, nameStop))) {
      parts.push(bytes.subarray(nameStart - 1, limit));
    }
  });
  if (computed.size > 0) parts.push(computedElements(decodeDocument(bytes), computed));
  const projected = Buffer.concat([...parts, Buffer.alloc(1)]);
  projected.writeInt32LE(projected.length, 0);
  return new RawDoc(projected);
}

/**
 * Appends the document or array at `start` to `parts`, without these fields. In an array they are removed from each element,
 * also in nested arrays.
 * @returns its size
 */
function exclude(bytes: Buffer, start: number, fields: Fields, parts: Buffer[], isArray = false): number {
  const head = Buffer.alloc(4);
  parts.push(head);
  let size = 4 + END.length;
  eachElement(bytes, start, (type, nameStart, nameStop, at, limit) => {
    const isNested = type === TYPE.object || type === TYPE.array;
    const within = isArray ? fields : fields.get(bytes.toString("utf8", nameStart, nameStop));
    if (within === "whole") return;
    const rest = isNested ? within : undefined;
    const copied = bytes.subarray(nameStart - 1, rest ? at : limit);
    parts.push(copied);
    size += copied.length;
    if (rest) size += exclude(bytes, at, rest, parts, type === TYPE.array);
  });
  parts.push(END);
  head.writeInt32LE(size);
  return size;
}

/** Length of the header and the terminator of every document and array. */
const END = Buffer.alloc(1);

function computedElements(document: Doc, computed: ReadonlyMap<string, Evaluate>): Buffer {
  const fields: Doc = new Map();
  for (const [name, evaluate] of computed) {
    const value = evaluate(document);
    if (value !== undefined) fields.set(name, value);
  }
  return encodeDocument(fields).subarray(4, -1);
}
