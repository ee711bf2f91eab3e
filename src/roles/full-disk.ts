import { startBackground } from "../shared/background.ts";
import { Fault } from "../shared/fault.ts";
import { isNoSpace } from "../shared/private-files.ts";
import { StartupError } from "../shared/startup-error.ts";
import type { Process } from "./process.ts";

/** Interval of retries of a write that a full disk refused. */
const REPEAT_MS = 5_000;

/**
 * Runs a write of the start on which no other work depends. A full disk does not end the process: reads are served, and the
 * write is retried in the background.
 * @param file name of the file, for the log
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
    log.error({ file, reason: (error as Error).message }, "a file is outdated: Hermod retries to write it");
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
 * The error of a start with the name of the disk, if the store had no space; any other error unchanged. A first start, an
 * upgrade and a hold of the queue are written before any role serves.
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
    `${where} is full, and this start must first write a new account, an upgrade of the database, or a hold of the queue. ` +
      "No data is lost. Free disk space and start again.",
    error,
  );
}
