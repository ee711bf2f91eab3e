import { type Db, MongoClient } from "mongodb";
import { startEmbeddedEngine } from "../../src/engine/start-embedded-engine.ts";
import { ENGINE_THREAD } from "./engine-thread.ts";
import { makeFolderOfRun } from "./store-folder.ts";
import { lendDatabase } from "./unused-databases.ts";

export interface TestStore {
  /** Its client emits the commands that it sends. */
  readonly db: Db;
  close(): Promise<void>;
}

/** The engine removes no expired document during tests, because they use simulated time. */
const HOUSEKEEPING_MS = 24 * 3_600_000;

/** Address of the server of this worker's databases; undefined before the first test opens one. */
let serverUrl: Promise<string> | undefined;

/**
 * An empty database with Hermod's indexes: on the server at MONGODB_URL, or in an embedded engine. A worker starts
 * one engine for all its files, because a start takes longer than most tests with a database.
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
