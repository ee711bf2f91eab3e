/** Entry of the thread that rewrites the database. */
import { renameSync, statfsSync, statSync } from "node:fs";
import path from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import Database from "libsql";
import { makePrivate } from "../shared/private-files.ts";
import { syncToDisk } from "../shared/sync-to-disk.ts";
import type { CompactionBegun } from "./compact.ts";
import { checkCopy } from "./storage/check-integrity.ts";
import {
  COMPACT_FILE,
  DATABASE_FILE,
  INCREMENTAL_VACUUM,
  openSqliteFile,
  pragmaNumber,
  removeCompact,
  type SqliteFile,
} from "./storage/database.ts";

/** Free space that must remain on the disk in addition to the new file. */
const SPARE_BYTES = 16 * 1024 * 1024;

const { directory } = workerData as { readonly directory: string };
const target = path.join(directory, COMPACT_FILE);
const file = openSqliteFile(directory);
// The starter of the thread receives its errors.
void compact();

async function compact(): Promise<void> {
  try {
    const expectedBytes =
      (pragmaNumber(file, "page_count") - pragmaNumber(file, "freelist_count")) *
      pragmaNumber(file, "page_size");
    requireSpace(expectedBytes);
    parentPort?.postMessage({ expectedBytes } satisfies CompactionBegun);
    // The copy can return unused pages to the disk.
    file.exec("PRAGMA auto_vacuum=INCREMENTAL");
    emptyLog(file);
    // SQLite keeps an existing empty file, including its permissions.
    makePrivate(target);
    file.prepare("VACUUM INTO ?").run([target]);
    await syncToDisk(target);
    await takeSlot();
  } catch (error) {
    removeCompact(directory);
    throw error;
  } finally {
    file.close();
  }
}

function requireSpace(bytes: number): void {
  const { bavail, bsize } = statfsSync(directory);
  const missing = bytes + SPARE_BYTES - bavail * bsize;
  if (missing > 0) throw new Error(`the disk has too little room: ${missing} more bytes are needed`);
}

/** The log belongs to the old file only. */
function emptyLog({ logPath }: SqliteFile): void {
  file.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all([]);
  const size = statSync(logPath, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 0) throw new Error(`${logPath} could not be folded into the database`);
}

/** Under the locks of both files: no process opens one while the log of the other may still be removed. */
async function takeSlot(): Promise<void> {
  const compact = new Database(target, { timeout: 0 });
  try {
    compact.prepare("PRAGMA locking_mode=EXCLUSIVE").all();
    compact.exec("BEGIN EXCLUSIVE; COMMIT");
    checkCopy(compact);
    const [mode] = compact.prepare("PRAGMA auto_vacuum").raw().get() as number[];
    if (mode !== INCREMENTAL_VACUUM) throw new Error("the copy would keep its size, too");
    renameSync(target, path.join(directory, DATABASE_FILE));
    await syncToDisk(directory);
    file.close();
  } finally {
    compact.close();
  }
}
