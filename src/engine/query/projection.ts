import { decodeDocument, eachElement } from "../bson/decode.ts";
import { encodeDocument } from "../bson/encode.ts";
import { toDouble } from "../bson/numbers.ts";
import { type Doc, isNumeric, RawDoc, type Value } from "../bson/values.ts";
import { CommandError, notImplemented } from "../errors.ts";
import { type Evaluate, type Now, parseExpression } from "./expression.ts";

/** Makes of a stored document what the client gets of it. */
export type Projection = (bytes: Buffer) => RawDoc;

/** A projection may say of a field that it stays, that it goes, or how it is computed. */
export const PROJECTION_FORMS = ["inclusion", "exclusion", "computed"] as const;

/** Parses the projection of `find`, of top-level fields. Undefined: every field, as it is. */
export function parseProjection(spec: Doc, now: Now): Projection | undefined {
  if (spec.size === 0) return undefined;
  const named = new Set<string>();
  const computed = new Map<string, Evaluate>();
  let includes: boolean | undefined;
  let id: boolean | undefined;
  for (const [path, value] of spec) {
    if (path.includes(".") || path.startsWith("$")) throw notImplemented(`the projection of '${path}'`);
    const keeps = isNumeric(value) ? toDouble(value) !== 0 : value;
    if (path === "_id" && typeof keeps === "boolean") {
      id = keeps;
      continue;
    }
    if (path === "_id") throw notImplemented("a computed _id");
    if (typeof keeps === "boolean") named.add(path);
    else computed.set(path, parseComputed(value, now));
    if (includes !== undefined && includes !== (keeps !== false)) throw mixed(path, includes);
    includes = keeps !== false;
  }
  // With only _id given, it decides.
  includes ??= id === true;
  if (includes ? id !== false : id === false) named.add("_id");
  return (bytes) => project(bytes, named, includes, computed);
}

function mixed(path: string, includes: boolean): CommandError {
  return includes
    ? new CommandError(31254, `Cannot do exclusion on field ${path} in inclusion projection`)
    : new CommandError(31253, `Cannot do inclusion on field ${path} in exclusion projection`);
}

/** Here, and only here, an operator that is not known has another number. */
function parseComputed(value: Value, now: Now): Evaluate {
  try {
    return parseExpression(value, now);
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== 168) throw error;
    throw new CommandError(31325, `Unknown expression ${value instanceof Map ? [...value.keys()][0] : ""}`);
  }
}

/** The elements that stay are copied as they are; computed fields come after them, in the order of the projection. */
function project(
  bytes: Buffer,
  named: ReadonlySet<string>,
  includes: boolean,
  computed: ReadonlyMap<string, Evaluate>,
): RawDoc {
  const parts: Buffer[] = [Buffer.alloc(4)];
  eachElement(bytes, 0, (_type, nameStart, nameStop, _at, limit) => {
    if (named.has(bytes.toString("utf8", nameStart, nameStop)) === includes) {
      parts.push(bytes.subarray(nameStart - 1, limit));
    }
  });
  if (computed.size > 0) parts.push(computedElements(decodeDocument(bytes), computed));
  const projected = Buffer.concat([...parts, Buffer.alloc(1)]);
  projected.writeInt32LE(projected.length, 0);
  return new RawDoc(projected);
}

function computedElements(document: Doc, computed: ReadonlyMap<string, Evaluate>): Buffer {
  const fields: Doc = new Map();
  for (const [name, evaluate] of computed) {
    const value = evaluate(document);
    if (value !== undefined) fields.set(name, value);
  }
  return encodeDocument(fields).subarray(4, -1);
}
