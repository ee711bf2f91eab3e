import type { Config } from "../config.ts";
import { type Compaction, compactDatabase, DirectoryInUseError } from "../engine/start-embedded-engine.ts";
import { fault } from "../shared/fault.ts";

/**
 * Writes the embedded database of the settings anew.
 * @throws Fault request.validation_failed saying why it cannot be done
 */
export async function compact(
  { dataDir, store: { mongodbUrl } }: Config,
  progress: (doneBytes: number, totalBytes: number) => void,
): Promise<Compaction> {
  if (mongodbUrl !== undefined) {
    throw refusal("The database is the MongoDB of MONGODB_URL, which has a command compact of its own.");
  }
  try {
    return await compactDatabase(dataDir, progress);
  } catch (error) {
    // The thread's errors come as copies: their names are left.
    const { name, message } = error as Error;
    if (name === DirectoryInUseError.name) throw refusal("Hermod runs on this folder: stop it first.");
    throw refusal(`The database stays as it is: ${message}`);
  }
}

function refusal(words: string) {
  return fault("request.validation_failed", { public: words });
}
