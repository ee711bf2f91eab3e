import { decodeDocument, fieldSelector } from "../bson/decode.ts";
import { encodeDocument } from "../bson/encode.ts";
import type { Doc } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import type { SqliteFile } from "./database.ts";
import { type Collection, type Index, idIndex, indexFromSpec, setIndexes } from "./schema.ts";

const TABLES = `
CREATE TABLE IF NOT EXISTS collections (
  id INTEGER PRIMARY KEY, db TEXT NOT NULL, name TEXT NOT NULL, uuid BLOB NOT NULL, options BLOB NOT NULL,
  UNIQUE (db, name));
CREATE TABLE IF NOT EXISTS indexes (
  id INTEGER PRIMARY KEY, collection INTEGER NOT NULL, spec BLOB NOT NULL, multikey INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS retries (session BLOB PRIMARY KEY, number INTEGER NOT NULL, reply BLOB NOT NULL) WITHOUT ROWID;
`;

/** Values for columns that only earlier releases read. */
const NONE = encodeDocument(new Map());

export type Catalog = ReturnType<typeof createCatalog>;

/**
 * The existing collections and indexes: in memory for reading, in SQLite for the next start. Opens the catalog, and creates its
 * tables in a new file.
 */
export function createCatalog(file: SqliteFile) {
  file.exec(TABLES);
  let collections = new Map<string, Collection>();
  const marked = new Set<Index>();
  // Ids are never reused within a run, so that no cached statement can meet another table of the same name.
  let lastCollection = 0;
  let lastIndex = 0;

  const load = () => {
    collections = new Map();
    marked.clear();
    for (const [id, db, name] of file.prepare("SELECT id, db, name FROM collections").all([])) {
      const collection = newCollection(id as number, db as string, name as string);
      lastCollection = Math.max(lastCollection, collection.id);
      const [row] = file.prepare(`SELECT max(rid) FROM d${collection.id}`).get([]) ?? [null];
      collection.nextRow = ((row as number | null) ?? 0) + 1;
      collections.set(collection.namespace, collection);
    }
    const byId = new Map([...collections.values()].map((collection) => [collection.id, collection]));
    for (const [id, owner, spec, multikey] of file
      .prepare("SELECT id, collection, spec, multikey FROM indexes ORDER BY id")
      .all([])) {
      lastIndex = Math.max(lastIndex, id as number);
      const collection = byId.get(owner as number);
      if (collection === undefined) continue;
      const index = indexFromSpec(id as number, decodeDocument(spec as Buffer), multikey === 1);
      setIndexes(collection, [...collection.indexes, index]);
    }
  };
  load();

  return {
    find: (db: string, name: string) => collections.get(`${db}.${name}`),
    list: (db: string) => [...collections.values()].filter((collection) => collection.db === db),
    all: () => [...collections.values()],
    create: (db: string, name: string): Collection => {
      checkCollectionName(db, name);
      const collection = newCollection(++lastCollection, db, name);
      const { id } = collection;
      file.begin();
      file.exec(`CREATE TABLE d${id} (rid INTEGER PRIMARY KEY, k BLOB NOT NULL, doc BLOB NOT NULL)`);
      file.exec(`CREATE UNIQUE INDEX d${id}k ON d${id} (k)`);
      file
        .prepare("INSERT INTO collections (id, db, name, uuid, options) VALUES (?, ?, ?, ?, ?)")
        .run([id, db, name, NONE, NONE]);
      collections.set(collection.namespace, collection);
      return collection;
    },
    drop: (collection: Collection): void => {
      file.begin();
      for (const index of collection.indexes) if (!index.isId) file.exec(`DROP TABLE i${index.id}`);
      file.exec(`DROP TABLE d${collection.id}`);
      file.prepare("DELETE FROM indexes WHERE collection = ?").run([collection.id]);
      file.prepare("DELETE FROM collections WHERE id = ?").run([collection.id]);
      collections.delete(collection.namespace);
    },
    addIndex: (collection: Collection, spec: Doc): Index => {
      const index = indexFromSpec(++lastIndex, spec, false);
      file.begin();
      const key = index.unique
        ? "k BLOB PRIMARY KEY, rid INTEGER NOT NULL"
        : "k BLOB, rid INTEGER, PRIMARY KEY (k, rid)";
      file.exec(`CREATE TABLE i${index.id} (${key}) WITHOUT ROWID`);
      file
        .prepare("INSERT INTO indexes (id, collection, spec, multikey) VALUES (?, ?, ?, 0)")
        .run([index.id, collection.id, encodeDocument(spec)]);
      setIndexes(collection, [...collection.indexes, index]);
      return index;
    },
    dropIndex: (collection: Collection, index: Index): void => {
      file.begin();
      file.exec(`DROP TABLE i${index.id}`);
      file.prepare("DELETE FROM indexes WHERE id = ?").run([index.id]);
      setIndexes(
        collection,
        collection.indexes.filter((other) => other !== index),
      );
    },
    /** Marks an index with entries of arrays; `flush` writes the mark. */
    markMultikey: (index: Index): void => {
      index.multikey = true;
      marked.add(index);
    },
    /** Writes the marks; part of each commit. */
    flush: (): void => {
      for (const index of marked)
        file.prepare("UPDATE indexes SET multikey = 1 WHERE id = ?").run([index.id]);
      marked.clear();
    },
    /** Reads everything again, after a rollback that may have undone a change of the catalog. */
    reload: load,
  };
}

function newCollection(id: number, db: string, name: string): Collection {
  const namespace = `${db}.${name}`;
  return { id, db, name, namespace, indexes: [idIndex()], selectIndexed: fieldSelector([]), nextRow: 1 };
}

/** Throws InvalidNamespace for an invalid collection name. */
export function checkCollectionName(db: string, name: string): void {
  if (name.includes("$")) throw new CommandError(73, `Invalid collection name: ${name}`);
  if (name === "" || name.includes("\0") || name.startsWith(".")) {
    throw new CommandError(73, `Invalid namespace specified '${db}.${name}'`);
  }
  if (Buffer.byteLength(`${db}.${name}`) > 255) {
    throw new CommandError(73, `Fully qualified namespace is too long. Namespace: ${db}.${name} Max: 255`);
  }
}
