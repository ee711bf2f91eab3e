import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import type { BackupProgress } from "./backup.ts";
import { createExitGate } from "./orderly-exit.ts";
import { DirectoryInUseError } from "./storage/database.ts";
import type { LostCommits } from "./storage/lost-commits.ts";
import type { ThreadMessage, ThreadOptions, ThreadRequest } from "./thread-messages.ts";

export { DirectoryInUseError } from "./storage/database.ts";

export interface EmbeddedEngine {
  /** For the MongoDB driver. */
  url: string;
  /** Finishes what has arrived, closes the file and ends the thread. */
  close(): Promise<void>;
  /** Resolves when the engine has ended without being asked to. */
  failed: Promise<Error>;
  /** What was acknowledged and is not there, where the options accept that; undefined: nothing is missing. */
  lost: LostCommits | undefined;
  /** Tables that were not checked after an unclean end, as that took too long. */
  unchecked: number;
  /** Unused bytes of the file that it cannot give back: `compactDatabase` can. */
  stuckBytes: number;
  /**
   * Copies the data to a new file while the engine goes on; one copy at a time.
   * @throws Error, with the code EEXIST when something is there
   */
  backUp(target: string, progress: (progress: BackupProgress) => void): Promise<void>;
}

export interface EmbeddedEngineOptions {
  /** Where the data lies; created (mode 0700) when missing. */
  directory: string;
  /** The compiled thread; needed only where this module itself does not run compiled. */
  threadEntry?: URL;
  /** Between two removals of expired documents; 60 s. */
  housekeepingIntervalMs?: number;
  /** Number of the last commit that is there, by which an operator goes on without those after it. */
  acceptedLoss?: number | undefined;
  /** Called when the disk begins to refuse writes, with the reason, and when it takes them again. */
  troubled?: (trouble: string | undefined) => void;
}

/** A UNIX socket's address holds 107 bytes on Linux and 103 on macOS. */
const MAX_SOCKET_PATH_BYTES = 100;

/**
 * Starts the engine in a thread of its own.
 * @throws DirectoryInUseError when another one has the directory
 * @throws Error saying why the data cannot be used, as when acknowledged commits are missing
 */
export async function startEmbeddedEngine(options: EmbeddedEngineOptions): Promise<EmbeddedEngine> {
  const directory = resolve(options.directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { socketPath, temporary } = chooseSocket(directory);
  const exitGate = createExitGate();
  const workerData: ThreadOptions = { directory, socketPath, exitGate: exitGate.buffer };
  if (options.housekeepingIntervalMs !== undefined) {
    workerData.housekeepingIntervalMs = options.housekeepingIntervalMs;
  }
  if (options.acceptedLoss !== undefined) workerData.acceptedLoss = options.acceptedLoss;
  const worker = new Worker(options.threadEntry ?? new URL("./thread.js", import.meta.url), { workerData });
  const request = (message: ThreadRequest) => worker.postMessage(message);
  const cleanUp = () => rmSync(temporary ?? socketPath, { force: true, recursive: true });

  let fail: (error: Error) => void = () => {};
  const failed = new Promise<Error>((resolveFailed) => {
    fail = resolveFailed;
  });
  process.once("exit", exitGate.close);
  const closed = new Promise<void>((resolveClosed) => {
    worker.once("exit", () => {
      process.off("exit", exitGate.close);
      resolveClosed();
    });
  });
  let closing = false;
  let opened: OpenedData;
  try {
    opened = await ready(worker, directory);
  } catch (error) {
    await worker.terminate();
    if (temporary !== undefined) cleanUp();
    throw error;
  }
  worker.on("error", fail);
  worker.on("message", (message: ThreadMessage) => {
    if (message.kind === "failed") fail(new Error(`the embedded engine failed: ${message.message}`));
    else if (message.kind === "troubled") options.troubled?.(message.trouble);
  });
  worker.once("exit", (code) => {
    if (!closing) fail(new Error(`the embedded engine's thread ended with code ${code}`));
  });
  return {
    url: `mongodb://${encodeURIComponent(socketPath)}/?directConnection=true&serverMonitoringMode=poll`,
    failed,
    lost: opened.lost,
    unchecked: opened.unchecked,
    stuckBytes: opened.stuckBytes,
    backUp: (target, progress) =>
      new Promise((resolveBackup, reject) => {
        const listen = (message: ThreadMessage) => {
          if (message.kind === "backingUp") progress(message.progress);
          if (message.kind !== "backedUp") return;
          worker.off("message", listen);
          if (message.failure === undefined) resolveBackup();
          else reject(Object.assign(new Error(message.failure.message), { code: message.failure.code }));
        };
        worker.on("message", listen);
        request({ kind: "backUp", target });
      }),
    close: async () => {
      closing = true;
      request({ kind: "close" });
      await closed;
      cleanUp();
    },
  };
}

type OpenedData = Pick<EmbeddedEngine, "lost" | "unchecked" | "stuckBytes">;

function chooseSocket(directory: string): { socketPath: string; temporary: string | undefined } {
  const inside = join(directory, "engine.sock");
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH_BYTES) return { socketPath: inside, temporary: undefined };
  const temporary = mkdtempSync(join(tmpdir(), "hermod-"));
  return { socketPath: join(temporary, "engine.sock"), temporary };
}

function ready(worker: Worker, directory: string): Promise<OpenedData> {
  return new Promise((resolveReady, reject) => {
    worker.once("error", reject);
    worker.once("message", (message: ThreadMessage) => {
      worker.off("error", reject);
      if (message.kind === "ready") resolveReady(message);
      else if (message.kind === "refused" && message.inUse) reject(new DirectoryInUseError(directory));
      else
        reject(
          new Error(
            `the embedded engine did not start: ${"message" in message ? message.message : message.kind}`,
          ),
        );
    });
  });
}
