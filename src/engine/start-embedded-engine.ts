import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import { type EngineChannel, openChannel } from "./channel.ts";
import type { DataOptions, EngineOptions, Findings, OpenEngine } from "./open-engine.ts";
import { createExitGate } from "./orderly-exit.ts";
import { DirectoryInUseError } from "./storage/database.ts";
import type { ThreadMessage, ThreadOptions, ThreadRequest } from "./thread.ts";

/** The engine is used only through this module. */
export { type Compaction, compactDatabase } from "./compact.ts";
export { DirectoryInUseError } from "./storage/database.ts";
export { describeLoss } from "./storage/lost-commits.ts";

export interface EmbeddedEngine extends Findings, Omit<OpenEngine, "findings" | "connect"> {
  /** URI for the MongoDB driver. */
  readonly url: string;
  /** Bypasses the driver and the socket, for the most frequent requests. */
  readonly channel: EngineChannel;
  /** Resolves when the engine has ended unexpectedly. */
  readonly failed: Promise<Error>;
}

export interface EmbeddedEngineOptions extends DataOptions, Pick<EngineOptions, "troubled"> {
  /** The compiled thread; needed only if this module itself does not run compiled. */
  readonly threadEntry?: URL;
}

/** The path of a UNIX socket has at most 107 bytes on Linux and 103 on macOS. */
const MAX_SOCKET_PATH_BYTES = 100;

/**
 * Starts the engine in a separate thread.
 * @throws DirectoryInUseError when another process has the directory
 * @throws Error with the reason when the data cannot be used, for example when acknowledged commits are missing
 */
export async function startEmbeddedEngine(options: EmbeddedEngineOptions): Promise<EmbeddedEngine> {
  const { threadEntry = new URL("./thread.js", import.meta.url), troubled, ...data } = options;
  const directory = resolve(data.directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { socketPath, temporary } = chooseSocket(directory);
  const exitGate = createExitGate();
  const workerData: ThreadOptions = { ...data, directory, socketPath, exitGate: exitGate.buffer };
  const worker = new Worker(threadEntry, { workerData });
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
  let findings: Findings;
  try {
    findings = await ready(worker, directory);
  } catch (error) {
    await worker.terminate();
    if (temporary !== undefined) cleanUp();
    throw error;
  }
  worker.on("error", fail);
  worker.on("message", (message: ThreadMessage) => {
    if (message.kind === "failed") fail(new Error(`the embedded engine failed: ${message.message}`));
    else if (message.kind === "troubled") troubled?.(message.error);
  });
  worker.once("exit", (code) => {
    if (!closing) fail(new Error(`the embedded engine's thread ended with code ${code}`));
  });
  const { port1, port2 } = new MessageChannel();
  const channel = openChannel(port1);
  worker.postMessage({ kind: "connect", port: port2 } satisfies ThreadRequest, [port2]);
  return {
    channel,
    url: `mongodb://${encodeURIComponent(socketPath)}/?directConnection=true&serverMonitoringMode=poll`,
    failed,
    ...findings,
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

function chooseSocket(directory: string): { socketPath: string; temporary: string | undefined } {
  const inside = join(directory, "engine.sock");
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH_BYTES) return { socketPath: inside, temporary: undefined };
  const temporary = mkdtempSync(join(tmpdir(), "hermod-"));
  return { socketPath: join(temporary, "engine.sock"), temporary };
}

async function ready(worker: Worker, directory: string): Promise<Findings> {
  try {
    const [message] = (await once(worker, "message")) as [ThreadMessage & { kind: "ready" }];
    return message.findings;
  } catch (error) {
    // The thread's errors arrive as copies, which keep only their names.
    const { name, message } = error as Error;
    if (name === DirectoryInUseError.name) throw new DirectoryInUseError(directory);
    throw new Error(`the embedded engine did not start: ${message}`);
  }
}
