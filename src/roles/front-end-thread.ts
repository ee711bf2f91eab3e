/** Entry of the thread in which the front ends run, where the core has another one. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createMetrics, type ThreadMetrics } from "../admin/metrics.ts";
import type { Config, Role } from "../config.ts";
import { createCoreClient } from "../rpc/client.ts";
import { openThreadCalls } from "../rpc/thread.ts";
import { systemClock } from "../shared/clock.ts";
import { createLifecycle } from "../shared/lifecycle.ts";
import { createLogger } from "../shared/logger.ts";
import { StartupError } from "../shared/startup-error.ts";
import { createSteadyClock } from "../shared/steady-clock.ts";
import type { SendingKey } from "./data-dir.ts";
import { composeFrontEnds, type FrontEnds, loadFrontEnds } from "./front-ends.ts";
import type { Process } from "./process.ts";

export interface ThreadOptions {
  readonly config: Config;
  readonly roles: readonly Role[];
}

export type ThreadRequest =
  /** The core's thread serves calls over the port. */
  | { readonly kind: "start"; readonly core: MessagePort; readonly sendingKey: SendingKey | undefined }
  | { readonly kind: "close"; readonly drainMs: number }
  | { readonly kind: "count"; readonly id: number }
  | { readonly kind: "check"; readonly id: number; readonly name: string };

export type ThreadMessage =
  | (Pick<FrontEnds, "http" | "smtp"> & { readonly kind: "started"; readonly checks: readonly string[] })
  /** It does not start, for this reason; isStartup: one that the operator can mend. */
  | { readonly kind: "refused"; readonly message: string; readonly isStartup: boolean }
  | { readonly kind: "counted"; readonly id: number; readonly metrics: ThreadMetrics }
  /** failure: undefined when all is well. */
  | { readonly kind: "checked"; readonly id: number; readonly failure: string | undefined };

const { config, roles: roleNames } = workerData as ThreadOptions;
const roles = new Set(roleNames);
const log = createLogger(config.logLevel);
const lifecycle = createLifecycle(log);
const metrics = createMetrics();
const ending = new AbortController();
let checks: FrontEnds["checks"] = {};

function post(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

async function start(core: MessagePort, sendingKey: SendingKey | undefined): Promise<void> {
  const process: Process = {
    config,
    log,
    // Nothing is decided by dates here: a step of the clock is believed at once.
    clock: createSteadyClock(systemClock, { believeAfterMs: 0 }),
    metrics,
    lifecycle,
    signal: ending.signal,
    giveUp: (reason) => {
      throw reason;
    },
  };
  const client = createCoreClient(openThreadCalls(core, config.grpc.deadlineMs));
  lifecycle.defer("core client", () => client.close());
  const { http, smtp, ...rest } = await composeFrontEnds(process, client, {
    roles,
    dataDir: config.dataDir,
    sendingKey,
  });
  checks = rest.checks;
  post({ kind: "started", http, smtp, checks: Object.keys(checks) });
}

async function refuse(error: Error): Promise<void> {
  await lifecycle.close(0);
  post({ kind: "refused", message: error.message, isStartup: error instanceof StartupError });
}

async function close(drainMs: number): Promise<void> {
  ending.abort();
  await lifecycle.close(drainMs);
  // It ends, for nothing is left to wait for.
  parentPort?.close();
}

async function failureOf(name: string): Promise<string | undefined> {
  return checks[name]?.().then(
    () => undefined,
    (error: Error) => error.message,
  );
}

parentPort?.on("message", (request: ThreadRequest) => {
  if (request.kind === "start") start(request.core, request.sendingKey).catch(refuse);
  else if (request.kind === "close") void close(request.drainMs);
  else if (request.kind === "count") {
    void metrics.registry.getMetricsAsJSON().then((counted) => {
      post({ kind: "counted", id: request.id, metrics: counted });
    });
  } else {
    void failureOf(request.name).then((failure) => post({ kind: "checked", id: request.id, failure }));
  }
});

// While the core's thread opens the store; what is missing is told when it is needed.
loadFrontEnds(roles).catch(() => undefined);
