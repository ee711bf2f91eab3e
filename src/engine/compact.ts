/**
 * Writes the database anew, without what it does not use, while nobody serves it: a file of an earlier release can be
 * given back to the disk in no other way. The new file takes the place of the old one in one step, when it is whole and on
 * the disk: whatever interrupts it before leaves the old one as it was.
 */
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { COMPACT_FILE, DATABASE_FILE } from "./storage/database.ts";

export interface Compaction {
  readonly beforeBytes: number;
  readonly afterBytes: number;
}

/** What the thread tells before it begins. */
export interface CompactionBegun {
  readonly expectedBytes: number;
}

/** Between two looks at how far it is. */
const LOOK_MS = 500;

/**
 * @param progress told how many of the expected bytes are written
 * @throws Error saying why it cannot be done, as when a process has the database, or the disk has too little room
 */
export async function compactDatabase(
  directory: string,
  progress: (doneBytes: number, totalBytes: number) => void,
): Promise<Compaction> {
  const from = path.join(directory, DATABASE_FILE);
  const to = path.join(directory, COMPACT_FILE);
  if (!existsSync(from)) throw new Error(`there is no ${from}`);
  const beforeBytes = statSync(from).size;
  const thread = new Worker(new URL("./compact-thread.js", import.meta.url), { workerData: { directory } });
  // Both reject with what the thread throws.
  const ended = once(thread, "exit");
  ended.catch(() => undefined);
  const [{ expectedBytes }] = (await once(thread, "message")) as [CompactionBegun];
  const look = () => {
    const done = statSync(to, { throwIfNoEntry: false })?.size;
    if (done !== undefined) progress(Math.min(done, expectedBytes), expectedBytes);
  };
  const timer = setInterval(look, LOOK_MS);
  try {
    await ended;
  } finally {
    clearInterval(timer);
  }
  progress(expectedBytes, expectedBytes);
  return { beforeBytes, afterBytes: statSync(from).size };
}
