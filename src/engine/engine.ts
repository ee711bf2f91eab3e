import { randomBytes } from "node:crypto";
import { ObjectIdValue } from "./bson/values.ts";
import { createCursors } from "./cursors.ts";
import type { CommandError } from "./errors.ts";
import { createSpace } from "./free-space.ts";
import { createRetries } from "./retries.ts";
import { createCatalog } from "./storage/catalog.ts";
import type { SqliteFile } from "./storage/database.ts";
import { createRows } from "./storage/rows.ts";
import type { Collection } from "./storage/schema.ts";
import { createTransactions } from "./transactions.ts";

/** Resources of all commands. One thread uses it, one command at a time. */
export type Engine = ReturnType<typeof createEngine>;

/** @param onError called when the disk begins to refuse writes, and when it accepts them again */
export function createEngine(
  file: SqliteFile,
  now: () => number,
  onError: (error: CommandError | undefined) => void = () => {},
) {
  const catalog = createCatalog(file);
  const rows = createRows(file, catalog);
  const transactions = createTransactions(file, rows, now);
  const retries = createRetries(file);
  const cursors = createCursors(now);
  return {
    file,
    catalog,
    rows,
    cursors,
    retries,
    transactions,
    space: createSpace(file, onError),
    now,
    newObjectId: createObjectIds(now),
    find: (db: string, name: string): Collection | undefined => catalog.find(db, name),
    /** The collection; created if missing. */
    collection: (db: string, name: string): Collection => catalog.find(db, name) ?? catalog.create(db, name),
    /** Makes the writes since the last commit durable. */
    commit: (): void => {
      if (!file.inTransaction) return;
      catalog.flush();
      retries.flush();
      file.commit();
      transactions.trim();
    },
    /** Discards the writes since the last commit, with every open transaction and cursor. */
    rollback: (): void => {
      file.rollback();
      transactions.abortAll();
      cursors.dropWhere(() => true);
      retries.reload();
      catalog.reload();
    },
  };
}

/** Creates ObjectIds as MongoDB does: seconds, five random bytes of this process, a counter. */
function createObjectIds(now: () => number): () => ObjectIdValue {
  const process = randomBytes(5);
  let counter = randomBytes(4).readUInt32BE() & 0xffffff;
  return () => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt32BE(Math.floor(now() / 1000) >>> 0, 0);
    process.copy(bytes, 4);
    counter = (counter + 1) & 0xffffff;
    bytes.writeUIntBE(counter, 9, 3);
    return new ObjectIdValue(bytes);
  };
}
