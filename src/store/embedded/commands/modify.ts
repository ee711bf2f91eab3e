/** What update, delete and findAndModify have in common. */
import { decodeToChange, withDamageKept } from "../bson/damaged.ts";
import { encodeDocument } from "../bson/encode.ts";
import type { Doc, Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { type Filter, hasExpression } from "../query/filter.ts";
import { findDocuments } from "../query/find-documents.ts";
import { MAX_DOCUMENT_BYTES } from "../server/wire.ts";
import type { KeyField } from "../storage/index-keys.ts";
import type { StoredDoc } from "../storage/rows.ts";
import type { Collection } from "../storage/schema.ts";
import type { Update } from "../update/parse-update.ts";
import { upsertDocument } from "../update/upsert-document.ts";
import type { Call } from "./command.ts";
import { idKey } from "./insert.ts";

export interface Selection {
  filter: Filter;
  sort?: readonly KeyField[];
  hint?: Value | undefined;
}

/** The first document of a selection. */
export function findFirst(call: Call, collection: Collection, selection: Selection): StoredDoc | undefined {
  const { engine, checkTime } = call;
  for (const stored of findDocuments(engine.file, { collection, ...selection, limit: 1, checkTime }))
    return stored;
  return undefined;
}

/**
 * Every document of a selection. Which ones is settled before the first is changed, so that a change which moves a
 * document within the index being walked does not meet it again.
 */
export function* findAll(
  call: Call,
  collection: Collection,
  selection: Selection,
): Generator<StoredDoc, void> {
  const { engine, checkTime } = call;
  const rows: number[] = [];
  for (const stored of findDocuments(engine.file, { collection, ...selection, checkTime }))
    rows.push(stored.row);
  for (const row of rows) {
    const stored = engine.rows.byRow(collection, row);
    if (stored !== undefined) yield stored;
  }
}

export interface Modified {
  changed: boolean;
  /** The document as it is now. */
  bytes: Buffer;
}

/** Applies an update to one stored document. */
export function modify(
  call: Call,
  collection: Collection,
  stored: StoredDoc,
  update: Update,
  filter: Filter,
): Modified {
  const notes = { counts: false };
  const { document, isDamaged } = decodeToChange(stored.bytes, update.kind === "pipeline");
  const after = update.apply(document, filter, false, notes);
  const bytes = withDamageKept(encodeChecked(after), stored.bytes, isDamaged, update.changes);
  if (bytes.equals(stored.bytes)) return { changed: notes.counts, bytes };
  call.engine.rows.replace(
    collection,
    stored,
    collection.selectIndexed(stored.bytes),
    bytes,
    after,
    update.changes,
  );
  return { changed: true, bytes };
}

export function remove(call: Call, collection: Collection, stored: StoredDoc): void {
  call.engine.rows.remove(collection, stored);
}

/** Refuses the filters that an upsert may not have, whether or not it would find something. */
export function checkUpsertFilter(filter: Filter): void {
  if (hasExpression(filter)) {
    throw new CommandError(224, "$expr is not allowed in the query predicate for an upsert");
  }
}

/** Inserts what an upsert that found nothing makes of its query and update. */
export function upsert(
  call: Call,
  collection: Collection,
  filter: Filter,
  update: Update,
): { id: Value; bytes: Buffer } {
  const start = update.kind === "replacement" ? onlyId(upsertDocument(filter)) : upsertDocument(filter);
  const made = update.apply(start, filter, true);
  const given = made.get("_id");
  const id = given === undefined ? call.engine.newObjectId() : given;
  const document: Doc = new Map([["_id", id]]);
  for (const [name, value] of made) if (name !== "_id") document.set(name, value);
  const bytes = encodeChecked(document);
  call.engine.rows.insert(collection, idKey(id), bytes, document);
  return { id, bytes };
}

function onlyId(document: Doc): Doc {
  const id = document.get("_id");
  return id === undefined ? new Map() : new Map([["_id", id]]);
}

function encodeChecked(document: Doc): Buffer {
  const bytes = encodeDocument(document);
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    throw new CommandError(17419, `Resulting document after update is larger than ${MAX_DOCUMENT_BYTES}`);
  }
  return bytes;
}
