import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startEmbeddedEngine } from "../../src/store/embedded/start-embedded-engine.ts";

/** The engine's thread runs compiled code: built before the tests. */
export const THREAD_ENTRY = pathToFileURL("dist/src/store/embedded/thread.js");

export interface RunningEngine {
  url: string;
  directory: string;
  /** Ends the engine and removes its data. */
  close(): Promise<void>;
}

export function freshDirectory(): string {
  return mkdtempSync(join(tmpdir(), "engine-test-"));
}

export async function startEngine(options: { housekeepingIntervalMs?: number } = {}): Promise<RunningEngine> {
  const directory = freshDirectory();
  const engine = await startEmbeddedEngine({ directory, threadEntry: THREAD_ENTRY, ...options });
  return {
    url: engine.url,
    directory,
    close: async () => {
      await engine.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
