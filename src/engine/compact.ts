/**
 * Rewrites the database without its unused pages, while no process serves it: a file of an earlier release can be shrunk in no
 * other way. The new file replaces the old one in one step, when it is complete and on the disk: an earlier interruption leaves
 * the old file unchanged.
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

/** Message of the thread before it begins. */
export interface CompactionBegun {
  readonly expectedBytes: number;
}

/** Interval between progress reports. */
const POLL_MS = 500;

/**
 * @param progress called with the written and the expected bytes
 * @throws Error with the reason when it cannot run, for example when a process has the database, or the disk has too little
 *   space
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
  // Both reject with the error of the thread.
  const ended = once(thread, "exit");
  ended.catch(() => undefined);
  const [{ expectedBytes }] = (await once(thread, "message")) as [CompactionBegun];
  const poll = () => {
    const done = statSync(to, { throwIfNoEntry: false })?.size;
    if (done !== undefined) progress(Math.min(done, expectedBytes), expectedBytes);
  };
  const timer = setInterval(poll, POLL_MS);
  try {
    await ended;
  } finally {
    clearInterval(timer);
  }
  progress(expectedBytes, expectedBytes);
  return { beforeBytes, afterBytes: statSync(from).size };
}
