/** Entry of the front-end thread, if it is separate from the core. */
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

export type ThreadQuestion =
  /** The core's thread serves calls over the port. */
  | { readonly kind: "start"; readonly core: MessagePort; readonly sendingKey: SendingKey | undefined }
  | { readonly kind: "count" }
  | { readonly kind: "check"; readonly name: string };

export type ThreadRequest =
  | ({ readonly id: number } & ThreadQuestion)
  | { readonly kind: "close"; readonly drainMs: number };

export type ThreadAnswer =
  | (Pick<FrontEnds, "http" | "smtp"> & { readonly kind: "started"; readonly checks: readonly string[] })
  /** It does not start, for this reason; isStartup: the operator can correct it. */
  | { readonly kind: "refused"; readonly message: string; readonly isStartup: boolean }
  | { readonly kind: "counted"; readonly metrics: ThreadMetrics }
  /** failure: undefined on success. */
  | { readonly kind: "checked"; readonly failure: string | undefined };

/** The answer to the request of this id. */
export interface ThreadMessage {
  readonly id: number;
  readonly answer: ThreadAnswer;
}

const { config, roles: roleNames } = workerData as ThreadOptions;
const roles = new Set(roleNames);
const log = createLogger(config.logLevel);
const lifecycle = createLifecycle(log);
const metrics = createMetrics();
const ending = new AbortController();
let checks: FrontEnds["checks"] = {};

async function start(core: MessagePort, sendingKey: SendingKey | undefined): Promise<ThreadAnswer> {
  const process: Process = {
    config,
    log,
    // Nothing depends on dates here: a step of the clock is accepted at once.
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
  return { kind: "started", http, smtp, checks: Object.keys(checks) };
}

async function refuse(error: Error): Promise<ThreadAnswer> {
  await lifecycle.close(0);
  return { kind: "refused", message: error.message, isStartup: error instanceof StartupError };
}

async function close(drainMs: number): Promise<void> {
  ending.abort();
  await lifecycle.close(drainMs);
  // It ends, because nothing is left to wait for.
  parentPort?.close();
}

async function failureOf(name: string): Promise<string | undefined> {
  return checks[name]?.().then(
    () => undefined,
    (error: Error) => error.message,
  );
}

async function answerTo(question: ThreadQuestion): Promise<ThreadAnswer> {
  if (question.kind === "start") return start(question.core, question.sendingKey).catch(refuse);
  if (question.kind === "check") return { kind: "checked", failure: await failureOf(question.name) };
  return { kind: "counted", metrics: await metrics.registry.getMetricsAsJSON() };
}

parentPort?.on("message", async (request: ThreadRequest) => {
  if (request.kind === "close") return close(request.drainMs);
  const message: ThreadMessage = { id: request.id, answer: await answerTo(request) };
  parentPort?.postMessage(message);
});

// While the core's thread opens the store; a missing module is reported when it is needed.
loadFrontEnds(roles).catch(() => undefined);
