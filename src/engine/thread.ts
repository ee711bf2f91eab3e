/** Entry of the worker thread of the embedded engine. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { BackupProgress } from "./backup.ts";
import { type DataOptions, type Findings, type OpenEngine, openEngine } from "./open-engine.ts";
import { callsThrough } from "./orderly-exit.ts";

export interface ThreadOptions extends DataOptions {
  readonly socketPath: string;
  /** Memory of the exit gate. */
  readonly exitGate: SharedArrayBuffer;
}

export type ThreadRequest =
  | { kind: "connect"; port: MessagePort }
  | { kind: "close" }
  | { kind: "backUp"; target: string };

export type ThreadMessage =
  | { kind: "ready"; findings: Findings }
  | { kind: "failed"; message: string }
  | { kind: "troubled"; error: string | undefined }
  | { kind: "backingUp"; progress: BackupProgress }
  | { kind: "backedUp"; failure: { message: string; code: string | undefined } | undefined };

const options = workerData as ThreadOptions;

function post(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

// The starter of the thread receives its errors.
void serve();

async function serve(): Promise<void> {
  const engine = await openEngine({
    ...options,
    native: callsThrough(options.exitGate),
    failed: (error) => post({ kind: "failed", message: error.stack ?? error.message }),
    troubled: (error) => post({ kind: "troubled", error }),
  });
  parentPort?.on("message", (request: ThreadRequest) => {
    if (request.kind === "connect") {
      engine.connect(request.port);
      return;
    }
    if (request.kind === "backUp") {
      backUp(engine, request.target);
      return;
    }
    engine.close().then(
      () => parentPort?.close(),
      (error: Error) => post({ kind: "failed", message: error.message }),
    );
  });
  post({ kind: "ready", findings: engine.findings });
}

function backUp(engine: OpenEngine, target: string): void {
  const report = (progress: BackupProgress) => post({ kind: "backingUp", progress });
  engine.backUp(target, report).then(
    () => post({ kind: "backedUp", failure: undefined }),
    ({ message, code }: Error & { code?: string }) => post({ kind: "backedUp", failure: { message, code } }),
  );
}
