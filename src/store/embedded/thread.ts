/** Entry of the worker thread in which the embedded engine runs. */
import { parentPort, workerData } from "node:worker_threads";
import { openEngine } from "./open-engine.ts";
import { callsThrough } from "./orderly-exit.ts";
import { DirectoryInUseError } from "./storage/database.ts";
import type { ThreadMessage, ThreadOptions, ThreadRequest } from "./thread-messages.ts";

const options = workerData as ThreadOptions;

function post(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

try {
  const engine = await openEngine({
    ...options,
    native: callsThrough(options.exitGate),
    failed: (error) => {
      post({ kind: "failed", message: error.stack ?? error.message });
    },
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
      () => {
        post({ kind: "closed" });
        parentPort?.close();
      },
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
