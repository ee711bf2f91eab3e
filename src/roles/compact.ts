import type { Config } from "../config.ts";
import { type Compaction, compactDatabase, DirectoryInUseError } from "../engine/start-embedded-engine.ts";
import { fault } from "../shared/fault.ts";
import { type FaultText, say } from "../shared/fault-text.ts";

/**
 * Rewrites the embedded database of the settings.
 * @throws Fault request.validation_failed with the reason when it cannot
 */
export async function compact(
  { dataDir, store: { mongodbUrl } }: Config,
  progress: (doneBytes: number, totalBytes: number) => void,
): Promise<Compaction> {
  if (mongodbUrl !== undefined) {
    throw refusal(say("database_mongodb_mongodb_url_command_compact"));
  }
  try {
    return await compactDatabase(dataDir, progress);
  } catch (error) {
    // The thread's errors arrive as copies, which keep only their names.
    const { name, message } = error as Error;
    if (name === DirectoryInUseError.name) throw refusal(say("hermod_runs_folder_stop_first"));
    throw refusal(say("database_stays", { detail: message }));
  }
}

function refusal(words: FaultText) {
  return fault("request.validation_failed", { public: words });
}
