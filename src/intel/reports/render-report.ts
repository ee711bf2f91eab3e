import { Worker } from "node:worker_threads";
import { programFile } from "../../shared/program-file.ts";
import type { RenderMessage, RenderRequest } from "./render-thread.ts";

export interface ReportRendererOptions {
  /** Time limit of one request, from its start in the thread. */
  readonly timeoutMs?: number;
  /** Memory limit of the thread for objects. Buffers are not included. */
  readonly memoryMb?: number;
  /** Maximum number of waiting requests, without the running one. */
  readonly mostWaiting?: number;
  /** Idle time after which the thread ends. */
  readonly idleMs?: number;
  /** The compiled thread; set by tests. */
  readonly threadEntry?: URL;
}

/**
 * Result of a request:
 *
 * - `bytes`: the JSON of a report in UTF-8, or its document
 * - `busy`: too many requests are waiting
 * - `over_limit`: the request took too long or too much memory; the reason is for the log
 * - `failed`: the request failed; the reason is for the log
 */
export type Rendering =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "busy" }
  | { readonly kind: "over_limit" | "failed"; readonly reason: string };

export interface RenderLimits {
  /** Missing: the limit of the renderer. */
  readonly timeoutMs?: number;
}

export interface ReportRenderer {
  /**
   * `build` creates a report's JSON from its inputs, to be stored unchanged. `html` and `pdf` write a stored report
   * as a document, with the same bytes each time. Never throws.
   */
  readonly render: (request: RenderRequest, limits?: RenderLimits) => Promise<Rendering>;
  /** Ends the thread. Waiting requests fail. */
  readonly close: () => Promise<void>;
}

/** Several times the needs of a report with 500 domains. */
const TIMEOUT_MS = 60_000;
const MEMORY_MB = 512;
/** Memory for new objects. With V8's default, a document of 500 domains takes 40 MB more. */
const YOUNG_MEMORY_MB = 16;
const MOST_WAITING = 16;
const IDLE_MS = 30_000;

const THREAD = programFile("render-thread.js");

interface Job {
  readonly request: RenderRequest;
  readonly timeoutMs: number;
  readonly resolve: (rendering: Rendering) => void;
}

/**
 * Creates and writes reports in a thread, one at a time, so that a large report does not block other work. The thread
 * stays for a while: a report is usually requested in several formats, and loading fonts and drawing code takes half
 * a second. A thread that dies or hangs is replaced.
 */
export function createReportRenderer(options: ReportRendererOptions = {}): ReportRenderer {
  const { timeoutMs = TIMEOUT_MS, memoryMb = MEMORY_MB, mostWaiting = MOST_WAITING } = options;
  const { idleMs = IDLE_MS, threadEntry = THREAD } = options;
  const queue: Job[] = [];
  /** Only `work` and `close` change these. */
  let thread: Worker | undefined;
  let isWorking = false;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;

  async function work(): Promise<void> {
    isWorking = true;
    clearTimeout(idle);
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      thread ??= new Worker(threadEntry, {
        resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MEMORY_MB },
      });
      const rendering = await renderIn(thread, job.request, { timeoutMs: job.timeoutMs, memoryMb });
      if (rendering.kind !== "bytes" && rendering.isLost) await endThread();
      job.resolve(
        rendering.kind === "bytes" ? rendering : { kind: rendering.kind, reason: rendering.reason },
      );
    }
    isWorking = false;
    if (thread) idle = setTimeout(() => void endThread(), idleMs).unref();
    // An idle thread must not keep the process alive.
    thread?.unref();
  }

  async function endThread(): Promise<void> {
    const ending = thread;
    thread = undefined;
    await ending?.terminate();
  }

  return {
    render: (request, { timeoutMs: limitMs = timeoutMs } = {}) =>
      new Promise((resolve) => {
        if (isClosed) return resolve({ kind: "failed", reason: "the renderer is closed" });
        if (queue.length >= mostWaiting) return resolve({ kind: "busy" });
        queue.push({ request, timeoutMs: limitMs, resolve });
        thread?.ref();
        if (!isWorking) void work();
      }),
    close: async () => {
      isClosed = true;
      clearTimeout(idle);
      for (const { resolve } of queue.splice(0))
        resolve({ kind: "failed", reason: "the renderer is closed" });
      await endThread();
    },
  };
}

type Outcome =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** Lost: the thread cannot continue. */
  | { readonly kind: "over_limit" | "failed"; readonly reason: string; readonly isLost: boolean };

function renderIn(
  thread: Worker,
  request: RenderRequest,
  { timeoutMs, memoryMb }: { readonly timeoutMs: number; readonly memoryMb: number },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const end = (outcome: Outcome) => {
      clearTimeout(timer);
      for (const event of ["message", "messageerror", "error", "exit"]) thread.removeAllListeners(event);
      // A terminated thread may still emit an error, which is irrelevant.
      thread.on("error", () => {});
      resolve(outcome);
    };
    const lose = (reason: string) => end({ kind: "failed", reason, isLost: true });
    const exceed = (reason: string) => end({ kind: "over_limit", reason, isLost: true });
    const timer = setTimeout(
      () => exceed(`rendering takes longer than ${timeoutMs / 1_000} seconds`),
      timeoutMs,
    );
    thread.on("message", (message: RenderMessage) =>
      end(message.kind === "bytes" ? message : { kind: "failed", reason: message.reason, isLost: false }),
    );
    thread.once("messageerror", (error) => lose(error.message));
    thread.once("error", (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      if (isMemory) exceed(`rendering takes more than ${memoryMb} MB`);
      else lose(error.message);
    });
    thread.once("exit", () => lose("the thread ended without a result"));
    try {
      thread.postMessage(request);
    } catch (error) {
      // Inputs with functions, for example, cannot be passed to a thread.
      end({ kind: "failed", reason: error instanceof Error ? error.message : String(error), isLost: false });
    }
  });
}
