import { randomBytes } from "node:crypto";
import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { link, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { syncToDisk } from "./sync-to-disk.ts";

/** Read and written by the owner, and by nobody else. */
export const PRIVATE_FILE = 0o600;
const OTHERS = 0o077;

/**
 * Writes all of a file or nothing, and returns when it is on the disk: neither a crash nor a power cut loses it then.
 * Nobody else can read it, whatever the folder allows and whatever stood there before.
 */
export async function writePrivateFile(file: string, content: string): Promise<void> {
  const draft = `${file}.new`;
  // What an interrupted attempt has left may be anybody's to read: a mode is given to new files only.
  await rm(draft, { force: true });
  const handle = await open(draft, "wx", PRIVATE_FILE);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } catch (error) {
    // A part of a secret is still one.
    await rm(draft, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  await syncToDisk(path.dirname(file));
}

/**
 * Writes such a file unless there is one: of several processes that make it at once, one does. In a file system without
 * links (FAT, some network drives) the last one does.
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
 * Takes the rights to a file from everybody but its owner, this user. What belongs to somebody else, such as a file that
 * is mounted into a container, is theirs to decide about.
 * @throws Error naming the file, when it cannot be done
 */
export function keepPrivate(file: string): void {
  const { mode, uid } = statSync(file, { throwIfNoEntry: false }) ?? {};
  // Windows knows no such rights, and no such users.
  if (mode === undefined || (mode & OTHERS) === 0 || uid !== process.getuid?.()) return;
  try {
    chmodSync(file, mode & 0o700);
  } catch (cause) {
    throw new Error(`other users can read ${file}, and this user cannot change that (run chmod 600 on it)`, {
      cause,
    });
  }
}

/** Makes a file of this name that is its owner's alone, unless there is one: what opens it keeps its mode. */
export function makePrivate(file: string): void {
  closeSync(openSync(file, "a", PRIVATE_FILE));
  keepPrivate(file);
}

/** The disk is full, or this user's share of it is: the error itself says so, or the one that it wraps. */
export function isNoSpace(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return code === "ENOSPC" || code === "EDQUOT" || isNoSpace(error.cause);
}
