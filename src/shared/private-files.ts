import { randomBytes } from "node:crypto";
import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { link, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { syncToDisk } from "./sync-to-disk.ts";

/** Readable and writable only by the owner. */
export const PRIVATE_FILE = 0o600;
const OTHERS = 0o077;

/**
 * Writes a file completely or not at all, and returns when it is on the disk, so that neither a crash nor a power
 * failure loses it. Only the owner can read it, regardless of the folder and of an earlier file.
 */
export async function writePrivateFile(file: string, content: string): Promise<void> {
  const draft = `${file}.new`;
  // The draft of an interrupted attempt may be readable by others, and a mode applies only to new files.
  await rm(draft, { force: true });
  const handle = await open(draft, "wx", PRIVATE_FILE);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } catch (error) {
    // A part of a secret is still secret.
    await rm(draft, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  await syncToDisk(path.dirname(file));
}

/**
 * Writes such a file unless it exists. If several processes create it at once, one of them succeeds. On a file system
 * without links (FAT, some network drives), the last one succeeds.
 */
export async function writeMissingPrivateFile(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await writePrivateFile(draft, content);
  try {
    await link(draft, file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "EEXIST") return rename(draft, file);
  }
  await rm(draft, { force: true });
}

/**
 * Restricts a file to its owner, this user. A file of another user, such as one mounted into a container, is that
 * user's responsibility.
 * @throws Error with the name of the file if that fails
 */
export function keepPrivate(file: string): void {
  const { mode, uid } = statSync(file, { throwIfNoEntry: false }) ?? {};
  // Windows has no such permissions and users.
  if (mode === undefined || (mode & OTHERS) === 0 || uid !== process.getuid?.()) return;
  try {
    chmodSync(file, mode & 0o700);
  } catch (cause) {
    throw new Error(`other users can read ${file}, and this user cannot change that (run chmod 600 on it)`, {
      cause,
    });
  }
}

/** Creates a file of this name for its owner only, unless it exists. Later writers keep its mode. */
export function makePrivate(file: string): void {
  closeSync(openSync(file, "a", PRIVATE_FILE));
  keepPrivate(file);
}

/** Whether the disk or this user's quota is full, according to the error or the error that it wraps. */
export function isNoSpace(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return code === "ENOSPC" || code === "EDQUOT" || isNoSpace(error.cause);
}
