import { cp, rm } from "node:fs/promises";
import path from "node:path";
import { MongoClient } from "mongodb";
import { startEmbeddedEngine } from "../../src/engine/start-embedded-engine.ts";
import { createIndexes } from "../../src/store/indexes.ts";
import { ENGINE_THREAD } from "./engine-thread.ts";

/** The name of the database in it. */
export const TEST_DATABASE = "hermod_test";
const EMPTY_STORE = path.resolve(import.meta.dirname, "../../dist/empty-store");

/** Makes a database with Hermod's indexes, once for all tests: that takes longer than what many of them do with it. */
export async function makeEmptyStore(): Promise<void> {
  await rm(EMPTY_STORE, { recursive: true, force: true });
  const engine = await startEmbeddedEngine({ directory: EMPTY_STORE, threadEntry: ENGINE_THREAD });
  const client = new MongoClient(engine.url);
  await createIndexes(client.db(TEST_DATABASE));
  await client.close();
  await engine.close();
}

/** Puts it into a folder, for an embedded engine to be started there. */
export function copyEmptyStore(directory: string): Promise<void> {
  return cp(EMPTY_STORE, directory, { recursive: true });
}
