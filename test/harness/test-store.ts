import { type Db, MongoClient } from "mongodb";
import { startEmbeddedEngine } from "../../src/engine/start-embedded-engine.ts";
import { ENGINE_THREAD } from "./engine-thread.ts";
import { makeFolderOfRun } from "./store-folder.ts";
import { lendDatabase } from "./unused-databases.ts";

export interface TestStore {
  /** Its client tells of the commands that it sends. */
  readonly db: Db;
  close(): Promise<void>;
}

/** The engine removes no expired document while tests run: their time is not the machine's. */
const HOUSEKEEPING_MS = 24 * 3_600_000;

/** Address of the server of this worker's databases; undefined: no test has opened one yet. */
let serverUrl: Promise<string> | undefined;

/**
 * An empty database with Hermod's indexes: on the server at MONGODB_URL, or in an embedded engine. A worker starts one engine
 * for all of its files: a start costs more than most tests do with a database.
 */
export async function openTestStore(): Promise<TestStore> {
  serverUrl ??= startServer();
  const client = new MongoClient(await serverUrl, {
    writeConcern: { w: "majority", journal: true },
    monitorCommands: true,
  });
  const { db, giveBack } = await lendDatabase(client);
  return {
    db,
    close: async () => {
      await client.close();
      giveBack();
    },
  };
}

async function startServer(): Promise<string> {
  const { MONGODB_URL } = process.env;
  if (MONGODB_URL) return MONGODB_URL;
  const { url } = await startEmbeddedEngine({
    directory: await makeFolderOfRun(),
    threadEntry: ENGINE_THREAD,
    housekeepingIntervalMs: HOUSEKEEPING_MS,
  });
  return url;
}
