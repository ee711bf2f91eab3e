import { mkdtemp, readdir, rm, stat, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const MEMORY = "/dev/shm";
const ROOMY_BYTES = 4 * 1024 ** 3;
const PREFIX = "hermod-store-";
const ABANDONED_MS = 24 * 3_600_000;
/** The setting that names the folder of this run's shared engines. */
const RUN_FOLDER = "HERMOD_TEST_RUN_FOLDER";

/**
 * A new folder for an embedded database: in memory if possible, because the engine waits for the disk after every
 * write. A killed process leaves the same files there as on a disk.
 */
export async function makeStoreFolder(): Promise<string> {
  return mkdtemp(path.join((await isRoomy()) ? MEMORY : tmpdir(), PREFIX));
}

/** Creates the folder of this run's shared engines, before its workers start. */
export async function makeRunFolder(): Promise<void> {
  process.env[RUN_FOLDER] = await makeStoreFolder();
}

/** A new folder that is removed at the end of the run, because Vitest ends a worker without time for cleanup. */
export function makeFolderOfRun(): Promise<string> {
  return mkdtemp(path.join(process.env[RUN_FOLDER] ?? "", "engine-"));
}

export async function removeRunFolder(): Promise<void> {
  await rm(process.env[RUN_FOLDER] ?? "", { recursive: true, force: true });
}

async function isRoomy(): Promise<boolean> {
  const found = await statfs(MEMORY).catch(() => undefined);
  return found !== undefined && found.bavail * found.bsize >= ROOMY_BYTES;
}

/** Removes folders that killed tests left in memory, because nothing else frees it. */
export async function removeAbandonedStores(): Promise<void> {
  for (const name of await readdir(MEMORY).catch(() => [])) {
    const folder = path.join(MEMORY, name);
    const found = name.startsWith(PREFIX) && (await stat(folder).catch(() => undefined));
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS)
      await rm(folder, { recursive: true, force: true });
  }
}
