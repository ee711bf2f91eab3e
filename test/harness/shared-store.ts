import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { startEmbeddedEngine } from "../../src/engine/start-embedded-engine.ts";
import { ENGINE_THREAD } from "./engine-thread.ts";
import { TEST_SECRET_KEY } from "./sealing.ts";
import { makeStoreFolder } from "./store-folder.ts";

/** A store that several processes use. */
export interface SharedStore {
  /** Settings with which a process uses it. */
  readonly settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** An embedded engine in the test's process that accepts any process, or the server at MONGODB_URL. */
export async function startSharedStore(): Promise<SharedStore> {
  const { MONGODB_URL } = process.env;
  const directory = await makeStoreFolder();
  const engine = MONGODB_URL
    ? undefined
    : await startEmbeddedEngine({ directory, threadEntry: ENGINE_THREAD });
  return {
    settings: {
      MONGODB_URL: engine?.url ?? MONGODB_URL ?? "",
      MONGODB_DATABASE: `hermod_test_${randomBytes(6).toString("hex")}`,
      HERMOD_SECRET_KEYS: TEST_SECRET_KEY,
    },
    close: async () => {
      await engine?.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
