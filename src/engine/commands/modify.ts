/** The shared parts of update, delete and findAndModify. */
import { decodeToChange, withDamageKept } from "../bson/damaged.ts";
import { encodeDocument } from "../bson/encode.ts";
import type { Doc, Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { conjuncts, type FieldTest, type Filter, fieldsOf } from "../query/filter.ts";
import { findDocuments } from "../query/find-documents.ts";
import { MAX_DOCUMENT_BYTES } from "../server/wire.ts";
import type { Collection, StoredDoc } from "../storage/schema.ts";
import type { Update } from "../update/parse-update.ts";
import { locate } from "../update/paths.ts";
import type { Call } from "./command.ts";
import { idKey } from "./insert.ts";

/**
 * The first document that matches a filter, or all. They are selected before the first change, so that a change that moves a
 * document within the index does not meet it again.
 */
export function* selected(
  { engine }: Call,
  collection: Collection,
  filter: Filter,
  all: boolean,
): Generator<StoredDoc, void> {
  if (!all) {
    yield* findDocuments(engine.file, { collection, filter, limit: 1 });
    return;
  }
  const rows: number[] = [];
  for (const stored of findDocuments(engine.file, { collection, filter })) rows.push(stored.row);
  for (const row of rows) {
    const stored = engine.rows.byRow(collection, row);
    if (stored !== undefined) yield stored;
  }
}

/** Applies an update to one stored document. Returns the changed document. */
export function modify(
  { engine }: Call,
  collection: Collection,
  stored: StoredDoc,
  update: Update,
): { changed: boolean; bytes: Buffer } {
  const { document, isDamaged } = decodeToChange(stored.bytes, update.kind === "pipeline");
  const after = update.apply(document, false);
  const bytes = withDamageKept(encodeChecked(after), stored.bytes, isDamaged, update.changes);
  if (bytes.equals(stored.bytes)) return { changed: false, bytes };
  const before = collection.selectIndexed(stored.bytes);
  engine.rows.replace(collection, stored, before, bytes, after, update.changes);
  return { changed: true, bytes };
}

/** Refuses filters that an upsert must not have, whether or not it matches a document. */
export function checkUpsertFilter(filter: Filter): void {
  if (fieldsOf(filter) === undefined) {
    throw new CommandError(224, "$expr is not allowed in the query predicate for an upsert");
  }
}

/** Inserts the document of an upsert without a match, from its query and update. */
export function upsert(
  { engine }: Call,
  collection: Collection,
  filter: Filter,
  update: Update,
): { id: Value; bytes: Buffer } {
  const given = fieldsFrom(filter);
  if (update.kind === "replacement") for (const name of given.keys()) if (name !== "_id") given.delete(name);
  const fields = update.apply(given, true);
  const id = fields.get("_id") ?? engine.newObjectId();
  const document: Doc = new Map([["_id", id]]);
  for (const [name, value] of fields) if (name !== "_id") document.set(name, value);
  const bytes = encodeChecked(document);
  engine.rows.insert(collection, idKey(id), bytes, document);
  return { id, bytes };
}

/** The initial document of an upsert: the fields for which the query has one value. */
function fieldsFrom(filter: Filter): Doc {
  const document: Doc = new Map();
  const seen = new Set<string>();
  for (const part of conjuncts(filter)) {
    if (part.kind === "or" && part.filters.length === 1) {
      for (const only of part.filters)
        for (const [name, value] of fieldsFrom(only)) document.set(name, value);
    }
    const value = part.kind === "field" ? onlyValue(part.test) : undefined;
    if (part.kind !== "field" || value === undefined) continue;
    if (seen.has(part.path)) {
      throw new CommandError(54, `cannot infer query fields to set, path '${part.path}' is matched twice`);
    }
    seen.add(part.path);
    locate(document, part.parts, true)?.set(value);
  }
  return document;
}

function onlyValue(test: FieldTest): Value | undefined {
  if (test.op === "eq") return test.value;
  return test.op === "in" && test.values.length === 1 ? test.values[0] : undefined;
}

function encodeChecked(document: Doc): Buffer {
  const bytes = encodeDocument(document);
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    throw new CommandError(17419, `Resulting document after update is larger than ${MAX_DOCUMENT_BYTES}`);
  }
  return bytes;
}
