/** Entry of the worker thread in which the embedded engine runs. */
import { parentPort, workerData } from "node:worker_threads";
import type { BackupProgress } from "./backup.ts";
import { type DataOptions, type OpenEngine, openEngine } from "./open-engine.ts";
import { callsThrough } from "./orderly-exit.ts";
import { DirectoryInUseError } from "./storage/database.ts";

export interface ThreadOptions extends DataOptions {
  readonly socketPath: string;
  /** That of the exit gate. */
  readonly exitGate: SharedArrayBuffer;
}

export type ThreadRequest = { kind: "close" } | { kind: "backUp"; target: string };

export type ThreadMessage =
  | ({ kind: "ready" } & Pick<OpenEngine, "lost" | "unchecked" | "stuckBytes">)
  | { kind: "refused"; inUse: boolean; message: string }
  | { kind: "failed"; message: string }
  | { kind: "troubled"; trouble: string | undefined }
  | { kind: "backingUp"; progress: BackupProgress }
  | { kind: "backedUp"; failure: { message: string; code: string | undefined } | undefined };

const options = workerData as ThreadOptions;

function post(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

try {
  const engine = await openEngine({
    ...options,
    native: callsThrough(options.exitGate),
    failed: (error) => post({ kind: "failed", message: error.stack ?? error.message }),
    troubled: (trouble) => post({ kind: "troubled", trouble }),
  });
  const backUp = (target: string) =>
    engine
      .backUp(target, (progress) => post({ kind: "backingUp", progress }))
      .then(
        () => post({ kind: "backedUp", failure: undefined }),
        (error: Error & { code?: string }) =>
          post({ kind: "backedUp", failure: { message: error.message, code: error.code } }),
      );
  parentPort?.on("message", (request: ThreadRequest) => {
    if (request.kind === "backUp") {
      backUp(request.target);
      return;
    }
    engine.close().then(
      () => parentPort?.close(),
      (error: Error) => post({ kind: "failed", message: error.message }),
    );
  });
  post({ kind: "ready", lost: engine.lost, unchecked: engine.unchecked, stuckBytes: engine.stuckBytes });
} catch (error) {
  post({
    kind: "refused",
    inUse: error instanceof DirectoryInUseError,
    message: error instanceof Error ? error.message : String(error),
  });
}
