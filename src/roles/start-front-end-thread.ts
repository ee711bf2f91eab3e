import { setTimeout as sleep } from "node:timers/promises";
import { MessageChannel, type Transferable, Worker } from "node:worker_threads";
import type { ThreadMetrics } from "../admin/metrics.ts";
import type { Role } from "../config.ts";
import type { WireCalls } from "../rpc/local.ts";
import { serveThread } from "../rpc/serve-thread.ts";
import { StartupError } from "../shared/startup-error.ts";
import type { SendingKey } from "./data-dir.ts";
import type {
  ThreadAnswer,
  ThreadMessage,
  ThreadOptions,
  ThreadQuestion,
  ThreadRequest,
} from "./front-end-thread.ts";
import type { FrontEnds } from "./front-ends.ts";
import type { Process } from "./process.ts";
import { withinTime } from "./readiness.ts";

/** Front ends in a separate thread. */
export interface ThreadedFrontEnds extends FrontEnds {
  /** Metrics of that thread: of its last answer, while it is silent. */
  metrics(): Promise<ThreadMetrics>;
}

export interface FrontEndThread {
  /** @throws StartupError */
  start(calls: WireCalls, sendingKey: SendingKey | undefined): Promise<ThreadedFrontEnds>;
}

interface PromiseHandlers {
  readonly resolve: (answer: ThreadAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** Time after the drain time until a silent thread is terminated. */
const CLOSING_MS = 5_000;

/** Begins to load the front ends in a separate thread, which ends with the process. */
export function openFrontEndThread(process: Process, roles: readonly Role[]): FrontEndThread {
  const { config, lifecycle, giveUp } = process;
  const { silentThreads } = process.metrics;
  const workerData: ThreadOptions = { config, roles };
  const worker = new Worker(new URL("./front-end-thread.js", import.meta.url), { workerData });
  const ended = new Promise<Error>((resolve) => {
    worker.once("error", resolve);
    worker.once("exit", (code) => resolve(new Error(`the thread of the front ends ended with code ${code}`)));
  });
  /** Pending requests by id. */
  const waiting = new Map<number, PromiseHandlers>();
  let lastId = 0;
  let lastCounts: ThreadMetrics = [];
  /** Set when the thread has ended. */
  let gone: Error | undefined;
  let isClosing = false;

  /**
   * @param limit timeout of the answer
   * @throws Error when the thread has ended
   */
  async function ask(
    question: ThreadQuestion,
    limit: (answer: Promise<ThreadAnswer>) => Promise<ThreadAnswer> = withinTime,
    transferred: readonly Transferable[] = [],
  ): Promise<ThreadAnswer> {
    if (gone) throw gone;
    const id = ++lastId;
    const answer = new Promise<ThreadAnswer>((resolve, reject) => waiting.set(id, { resolve, reject }));
    worker.postMessage({ ...question, id } satisfies ThreadRequest, transferred);
    return limit(answer).finally(() => waiting.delete(id));
  }

  async function metrics(): Promise<ThreadMetrics> {
    const answer = await ask({ kind: "count" }).catch(() => undefined);
    silentThreads.set(answer ? 0 : 1);
    if (answer?.kind === "counted") lastCounts = answer.metrics;
    // Monitoring would take a counter that falls, or is missing for a while, for a restart.
    return lastCounts;
  }

  async function check(name: string): Promise<void> {
    const answer = await ask({ kind: "check", name });
    if (answer.kind === "checked" && answer.failure !== undefined) throw new Error(answer.failure);
  }

  worker.on("message", ({ id, answer }: ThreadMessage) => waiting.get(id)?.resolve(answer));
  void ended.then((error) => {
    gone = error;
    for (const { reject } of waiting.values()) reject(error);
    if (!isClosing) giveUp(new StartupError(`The front ends cannot continue: ${error.message}`, error));
  });
  lifecycle.defer("thread of the front ends", async () => {
    isClosing = true;
    await worker.terminate();
  });

  return {
    start: async (calls, sendingKey) => {
      // Before the core ends, because its answers are needed.
      lifecycle.defer("front ends", async (drainMs) => {
        isClosing = true;
        worker.postMessage({ kind: "close", drainMs } satisfies ThreadRequest);
        await Promise.race([ended, sleep(drainMs + CLOSING_MS, undefined, { ref: false })]);
      });
      const { port1: core, port2 } = new MessageChannel();
      serveThread(port2, calls);
      const outcome = await ask({ kind: "start", core, sendingKey }, (answer) => answer, [core]);
      if (outcome.kind === "refused") {
        throw outcome.isStartup ? new StartupError(outcome.message) : new Error(outcome.message);
      }
      if (outcome.kind !== "started") throw new Error(`the front ends have answered with "${outcome.kind}"`);
      const { http, smtp, checks } = outcome;
      return {
        http,
        smtp,
        checks: Object.fromEntries(checks.map((name) => [name, () => check(name)])),
        metrics,
      };
    },
  };
}
