import { startBackground } from "../shared/background.ts";
import { Fault } from "../shared/fault.ts";
import { isNoSpace } from "../shared/private-files.ts";
import { StartupError } from "../shared/startup-error.ts";
import type { Process } from "./process.ts";

/** How often a write that a full disk refused is repeated. */
const REPEAT_MS = 5_000;

/**
 * Runs a write of the start that other work does not depend on. A full disk is no reason to end: reads are served, and the
 * write is repeated in the background until it succeeds.
 * @param file names what is written, for the log
 */
export async function writeOrDefer(
  process: Pick<Process, "log" | "lifecycle">,
  file: string,
  write: () => Promise<void>,
): Promise<void> {
  const { log } = process;
  try {
    return await write();
  } catch (error) {
    if (!isNoSpace(error)) throw error;
    log.error(
      { file, reason: (error as Error).message },
      "a file is not up to date: it is written again and again",
    );
  }
  let isDone = false;
  const run = async () => {
    if (isDone) return;
    await write();
    isDone = true;
    log.info({ file }, "a file is up to date again");
  };
  startBackground({ name: `write of ${file}`, everyMs: REPEAT_MS, run }, process);
}

/**
 * The error of a start in words that name the disk, where the store had no space; any other error as it is. A first start, an upgrade
 * and a hold of the queue are written before any role serves.
 */
export function describeFullDisk(
  { store, dataDir }: Pick<Process["config"], "store" | "dataDir">,
  error: unknown,
): unknown {
  if (!(error instanceof Fault) || error.code !== "store.full") return error;
  const where =
    store.mongodbUrl === undefined
      ? `HERMOD_DATA_DIR: the disk of ${dataDir}`
      : "MONGODB_URL: the database's disk";
  return new StartupError(
    `${where} is full, and this start has to write first (a new account, an upgrade of the database, or a hold of the queue). ` +
      "Nothing was lost. Free space on it, and start again.",
    error,
  );
}
