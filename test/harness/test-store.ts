import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Db, MongoClient } from "mongodb";
import { startEmbeddedEngine } from "../../src/engine/start-embedded-engine.ts";
import { createIndexes } from "../../src/store/indexes.ts";
import { ENGINE_THREAD } from "./engine-thread.ts";

export interface TestStore {
  /** Its client tells of the commands that it sends. */
  readonly db: Db;
  close(): Promise<void>;
}

/** An empty database with Hermod's indexes: in the embedded engine, or on the server at MONGODB_URL. */
export async function openTestStore(): Promise<TestStore> {
  const { MONGODB_URL } = process.env;
  const directory = await mkdtemp(path.join(tmpdir(), "hermod-store-"));
  const engine = MONGODB_URL
    ? undefined
    : await startEmbeddedEngine({ directory, threadEntry: ENGINE_THREAD });
  const client = new MongoClient(engine?.url ?? MONGODB_URL ?? "", {
    writeConcern: { w: "majority", journal: true },
    monitorCommands: true,
  });
  const db = client.db(`hermod_test_${randomBytes(6).toString("hex")}`);
  await createIndexes(db);
  return {
    db,
    close: async () => {
      await db.dropDatabase();
      await client.close();
      await engine?.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
