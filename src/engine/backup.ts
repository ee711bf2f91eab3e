/**
 * A consistent copy during commits. Nothing is folded from the log into the file during the copy, so the file does not change;
 * the log is copied after it up to the last commit and has the later changes. Together they are the database of that moment,
 * and a separate thread merges them into one file.
 */
import { once } from "node:events";
import { fstatSync, read, statSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { PRIVATE_FILE } from "../shared/private-files.ts";
import { syncToDisk } from "../shared/sync-to-disk.ts";
import type { SqliteFile } from "./storage/database.ts";

const CHUNK_BYTES = 1024 * 1024;
const readAt = promisify(read);

export interface BackupProgress {
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/**
 * Copies to `target`, which only its owner may read, and returns when it is on the disk.
 * @throws Error with the code EEXIST when the file exists, or another error of the disk; nothing is left then
 */
export async function backUp(
  file: SqliteFile,
  target: string,
  progress: (progress: BackupProgress) => void,
): Promise<void> {
  const copy = await open(target, "wx", PRIVATE_FILE);
  let log: FileHandle | undefined;
  try {
    log = await open(`${target}-wal`, "wx", PRIVATE_FILE);
    file.holdLog(true);
    try {
      const fileBytes = fstatSync(file.descriptor).size;
      const show = (doneBytes: number, more: number) => progress({ doneBytes, totalBytes: fileBytes + more });
      await copyBytes(file.descriptor, copy, fileBytes, (done) => show(done, 0));
      // Between two groups: all content of the log is committed.
      const logBytes = statSync(file.logPath, { throwIfNoEntry: false })?.size ?? 0;
      if (logBytes > 0) {
        const source = await open(file.logPath);
        try {
          await copyBytes(source.fd, log, logBytes, (done) => show(fileBytes + done, logBytes));
        } finally {
          await source.close();
        }
      }
    } finally {
      file.holdLog(false);
    }
    await log.close();
    await fold(target);
    await copy.sync();
    await copy.close();
    await syncToDisk(dirname(target));
  } catch (error) {
    await Promise.allSettled([copy.close(), log?.close()]);
    await rm(target, { force: true });
    if (log !== undefined) await rm(`${target}-wal`, { force: true });
    throw error;
  }
}

async function copyBytes(
  source: number,
  target: FileHandle,
  bytes: number,
  show: (done: number) => void,
): Promise<void> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await readAt(source, chunk, 0, Math.min(CHUNK_BYTES, bytes - at), at);
    if (bytesRead === 0) throw new Error("the database's file is shorter than it was");
    await target.writeFile(chunk.subarray(0, bytesRead));
    at += bytesRead;
    show(at);
  }
}

async function fold(file: string): Promise<void> {
  const thread = new Worker(new URL("./fold-thread.js", import.meta.url), { workerData: { file } });
  // Rejects with the error of the thread.
  await once(thread, "message");
}
