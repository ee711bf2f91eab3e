import { rm } from "node:fs/promises";
import { type Db, MongoClient } from "mongodb";
import { startEmbeddedEngine } from "../../src/engine/start-embedded-engine.ts";
import { copyEmptyStore, TEST_DATABASE } from "./empty-store.ts";
import { ENGINE_THREAD } from "./engine-thread.ts";
import { makeStoreFolder } from "./store-folder.ts";
import { lendDatabase } from "./unused-databases.ts";

export interface TestStore {
  /** Its client tells of the commands that it sends. */
  readonly db: Db;
  close(): Promise<void>;
}

/** An empty database with Hermod's indexes: in the embedded engine, or on the server at MONGODB_URL. */
export async function openTestStore(): Promise<TestStore> {
  const { MONGODB_URL } = process.env;
  if (MONGODB_URL) {
    const client = connect(MONGODB_URL);
    const { db, giveBack } = await lendDatabase(client);
    return {
      db,
      close: async () => {
        await client.close();
        giveBack();
      },
    };
  }
  const directory = await makeStoreFolder();
  await copyEmptyStore(directory);
  const engine = await startEmbeddedEngine({ directory, threadEntry: ENGINE_THREAD });
  const client = connect(engine.url);
  return {
    db: client.db(TEST_DATABASE),
    close: async () => {
      await client.close();
      await engine.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function connect(url: string): MongoClient {
  return new MongoClient(url, { writeConcern: { w: "majority", journal: true }, monitorCommands: true });
}
