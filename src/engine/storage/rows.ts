import { KeyWriter } from "../bson/key.ts";
import { shellText } from "../bson/shell-text.ts";
import { type Doc, doc } from "../bson/values.ts";
import { CommandError, writeConflict } from "../errors.ts";
import { matches } from "../query/matches.ts";
import { scanCollection } from "../query/scan.ts";
import type { Catalog } from "./catalog.ts";
import type { Cell, SqliteFile } from "./database.ts";
import { encodeIndexKey, indexEntries, indexValues } from "./index-keys.ts";
import type { Collection, Index, StoredDoc } from "./schema.ts";

/** One physical change, which can be repeated or undone. */
export type RowChange =
  | { collection: Collection; row: number; idKey: Buffer; before: Buffer | null; after: Buffer | null }
  | { collection: Collection; index: Index; key: Buffer; row: number; added: boolean };

export type Rows = ReturnType<typeof createRows>;

/** Documents and their index entries, kept consistent. Each call changes all rows of a document or none. */
export function createRows(file: SqliteFile, catalog: Catalog) {
  const writer = new KeyWriter();

  const entriesOf = (index: Index, document: Doc): Buffer[] => {
    if (index.partial !== undefined && !matches(index.partial, document)) return [];
    const { keys, multikey } = indexEntries(document, index.fields, writer);
    if (multikey && !index.multikey) catalog.markMultikey(index);
    return keys;
  };

  const runs = (sql: string, ...cells: readonly Cell[]): boolean => file.prepare(sql).run(cells) === 1;

  /** False: the row to add exists, or the row to change is missing. */
  const make = (change: RowChange): boolean => {
    const { row } = change;
    if ("index" in change) {
      const table = `i${change.index.id}`;
      return change.added
        ? runs(`INSERT INTO ${table} (k, rid) VALUES (?, ?) ON CONFLICT DO NOTHING`, change.key, row)
        : runs(`DELETE FROM ${table} WHERE k = ? AND rid = ?`, change.key, row);
    }
    const { before, after, idKey } = change;
    const table = `d${change.collection.id}`;
    if (after === null) return runs(`DELETE FROM ${table} WHERE rid = ?`, row);
    return before === null
      ? runs(`INSERT INTO ${table} (rid, k, doc) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, row, idKey, after)
      : runs(`UPDATE ${table} SET doc = ? WHERE rid = ?`, after, row);
  };

  const undo = (changes: readonly RowChange[]): void => {
    for (let at = changes.length - 1; at >= 0; at--) {
      if (!make(inverse(changes[at] as RowChange))) throw new Error("a change could not be taken back");
    }
  };

  /** Makes the changes of one document, or none of them; returns the one that failed. */
  const attempt = (changes: readonly RowChange[]): RowChange | undefined => {
    for (let at = 0; at < changes.length; at++) {
      const change = changes[at] as RowChange;
      if (make(change)) continue;
      undo(changes.slice(0, at));
      return change;
    }
    rows.note(changes);
    return undefined;
  };

  /** An expected entry is missing, or an unexpected one exists: the document or the index is damaged. */
  const disagrees = (refused: RowChange): boolean =>
    "index" in refused &&
    (!refused.added ||
      file
        .prepare(`SELECT 1 FROM i${refused.index.id} WHERE k = ? AND rid = ?`)
        .get([refused.key, refused.row]) !== undefined);

  /** The keys of a row in the index, regardless of its document: scans the whole index. */
  const keysInIndex = (index: Index, row: number): Buffer[] =>
    file
      .prepare(`SELECT k FROM i${index.id} WHERE rid = ?`)
      .all([row])
      .map(([key]) => key as Buffer);

  const removals = (
    collection: Collection,
    stored: StoredDoc,
    keysOf: (index: Index) => readonly Buffer[],
  ): RowChange[] => {
    const { row, idKey, bytes } = stored;
    const entries = collection.indexes.flatMap((index): RowChange[] =>
      index.isId ? [] : keysOf(index).map((key) => ({ collection, index, key, row, added: false })),
    );
    return [...entries, { collection, row, idKey, before: bytes, after: null }];
  };

  /** The keys from the document; undefined: it cannot be decoded. */
  const readableRemovals = (collection: Collection, stored: StoredDoc): RowChange[] | undefined => {
    try {
      const document = collection.selectIndexed(stored.bytes);
      return removals(collection, stored, (index) => entriesOf(index, document));
    } catch (error) {
      if (error instanceof CommandError) return undefined;
      throw error;
    }
  };

  /** Changes of the indexes, from the former keys to those of the present document. */
  const moves = (
    collection: Collection,
    { row, changed, after }: { row: number; changed: ReadonlySet<string> | undefined; after: Doc },
    keysBefore: (index: Index) => readonly Buffer[],
  ): RowChange[] => {
    const removed: RowChange[] = [];
    const added: RowChange[] = [];
    for (const index of collection.indexes) {
      if (index.isId || !concerns(index, changed)) continue;
      const old = new Map(keysBefore(index).map((key) => [key.toString("latin1"), key]));
      for (const key of entriesOf(index, after)) {
        if (!old.delete(key.toString("latin1"))) added.push({ collection, index, key, row, added: true });
      }
      for (const key of old.values()) removed.push({ collection, index, key, row, added: false });
    }
    // Entries are removed before others are added: a unique key may move between elements of the same array.
    return [...removed, ...added];
  };

  const rows = {
    /** Called with the changes of each document after they are made; transactions set it. */
    note: (_changes: readonly RowChange[]): void => {},

    /** Throws E11000. `indexed` holds at least the fields of `collection.selectIndexed`. */
    insert: (collection: Collection, idKey: Buffer, bytes: Buffer, indexed: Doc): void => {
      file.begin();
      const row = collection.nextRow++;
      const changes: RowChange[] = [{ collection, row, idKey, before: null, after: bytes }];
      for (const index of collection.indexes) {
        if (index.isId) continue;
        for (const key of entriesOf(index, indexed))
          changes.push({ collection, index, key, row, added: true });
      }
      const refused = attempt(changes);
      if (refused !== undefined) throw duplicateKey(refused, indexed);
    },

    /** Throws E11000. `changed` names the top-level fields that may differ; undefined means any. */
    replace: (
      collection: Collection,
      stored: StoredDoc,
      before: Doc,
      bytes: Buffer,
      after: Doc,
      changed: ReadonlySet<string> | undefined,
    ): void => {
      file.begin();
      const { row, idKey } = stored;
      const change: RowChange = { collection, row, idKey, before: stored.bytes, after: bytes };
      const to = { row, changed, after };
      const refused = attempt([...moves(collection, to, (index) => entriesOf(index, before)), change]);
      if (refused === undefined) return;
      if (!disagrees(refused)) throw duplicateKey(refused, after);
      const entries = [...moves(collection, to, (index) => keysInIndex(index, row)), change];
      const again = attempt(entries);
      if (again !== undefined) throw duplicateKey(again, after);
    },

    /** Also removes documents that cannot be decoded, or that differ from their index entries. */
    remove: (collection: Collection, stored: StoredDoc): void => {
      file.begin();
      const planned = readableRemovals(collection, stored);
      if (planned !== undefined && attempt(planned) === undefined) return;
      if (attempt(removals(collection, stored, (index) => keysInIndex(index, stored.row))) !== undefined) {
        throw new Error(`a document of ${collection.namespace} could not be removed`);
      }
    },
    byRow: (collection: Collection, row: number): StoredDoc | undefined => {
      const found = file.prepare(`SELECT k, doc FROM d${collection.id} WHERE rid = ?`).get([row]);
      return found && { row, idKey: found[0] as Buffer, bytes: found[1] as Buffer };
    },

    /** Fills a new index from the existing documents. Throws E11000. */
    build: (collection: Collection, index: Index): void => {
      for (const { row, bytes } of scanCollection(file, collection)) {
        const document = collection.selectIndexed(bytes);
        for (const key of entriesOf(index, document)) {
          const entry = { collection, index, key, row, added: true };
          if (!make(entry)) throw duplicateKey(entry, document);
        }
      }
    },

    /** Repeats changes. Throws WriteConflict when the rows have changed. */
    redo: (changes: readonly RowChange[]): void => {
      for (const change of changes) if (!make(change)) throw writeConflict();
    },

    /** Undoes changes, the last first. */
    undo,
  };
  return rows;
}

function inverse(change: RowChange): RowChange {
  if ("index" in change) return { ...change, added: !change.added };
  return { ...change, before: change.after, after: change.before };
}

function concerns(index: Index, changed: ReadonlySet<string> | undefined): boolean {
  if (changed === undefined) return true;
  for (const root of index.roots) if (changed.has(root)) return true;
  return false;
}

/** MongoDB's E11000, with the pattern and the values of the existing key. */
function duplicateKey(refused: RowChange, document: Doc): CommandError {
  const { collection } = refused;
  const { index, key } =
    "index" in refused ? refused : { index: collection.indexes[0] as Index, key: refused.idKey };
  const writer = new KeyWriter();
  const rows = indexValues(document, index.fields).values;
  const values = rows.find((row) => encodeIndexKey(row, index.fields, writer).equals(key)) ?? rows[0] ?? [];
  const keyValue: Doc = new Map(index.fields.map(({ path }, at) => [path, values[at] ?? null]));
  return new CommandError(
    11000,
    `E11000 duplicate key error collection: ${collection.namespace} index: ${index.name} dup key: ${shellText(keyValue)}`,
    { details: doc({ keyPattern: index.spec.get("key"), keyValue }) },
  );
}
