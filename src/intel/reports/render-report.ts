import { Worker } from "node:worker_threads";
import { programFile } from "../../shared/program-file.ts";
import type { RenderMessage, RenderRequest } from "./render-thread.ts";

export interface ReportRendererOptions {
  /** Of one request, from when the thread has it. */
  readonly timeoutMs?: number;
  /** Of the thread, for objects: what it writes into buffers comes on top. */
  readonly memoryMb?: number;
  /** Requests that wait at most, without the one at work. */
  readonly mostWaiting?: number;
  /** The thread goes when it has had nothing to do for so long. */
  readonly idleMs?: number;
  /** The compiled thread; for tests. */
  readonly threadEntry?: URL;
}

/**
 * What became of a request:
 *
 * - `bytes`: the JSON of a report in UTF-8, or its document
 * - `busy`: too many wait already
 * - `over_limit`: it took too long or too much memory; the reason is for the log
 * - `failed`: it could not be done; the reason is for the log
 */
export type Rendering =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "busy" }
  | { readonly kind: "over_limit" | "failed"; readonly reason: string };

export interface RenderLimits {
  /** Missing: that of the renderer. */
  readonly timeoutMs?: number;
}

export interface ReportRenderer {
  /**
   * `build` makes a report's JSON of its inputs, which is to be stored as it is; `html` and `pdf` write a stored one as a document, with the
   * same bytes each time. Never throws.
   */
  readonly render: (request: RenderRequest, limits?: RenderLimits) => Promise<Rendering>;
  /** Ends the thread; what waits fails. */
  readonly close: () => Promise<void>;
}

/** Several times what a report of 500 domains takes. */
const TIMEOUT_MS = 60_000;
const MEMORY_MB = 512;
/** Of what has just been made: with V8's own number a document of 500 domains takes 40 MB more. */
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
 * Makes and writes reports in a thread, one at a time, so that nobody else waits for a large one. The thread lives on for a while, for
 * a report is mostly asked for in more than one form, and fonts and what draws take half a second to load. One that dies or hangs is replaced.
 */
export function createReportRenderer(options: ReportRendererOptions = {}): ReportRenderer {
  const { timeoutMs = TIMEOUT_MS, memoryMb = MEMORY_MB, mostWaiting = MOST_WAITING } = options;
  const { idleMs = IDLE_MS, threadEntry = THREAD } = options;
  const queue: Job[] = [];
  /** All changed by `work` and `close` alone. */
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
    // A thread that waits must not keep the process from its end.
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
  /** Lost: the thread cannot go on. */
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
      // What is terminated may still tell of an error, which nobody waits for.
      thread.on("error", () => {});
      resolve(outcome);
    };
    const lose = (reason: string) => end({ kind: "failed", reason, isLost: true });
    const exceed = (reason: string) => end({ kind: "over_limit", reason, isLost: true });
    const timer = setTimeout(() => exceed(`it takes longer than ${timeoutMs / 1_000} seconds`), timeoutMs);
    thread.on("message", (message: RenderMessage) =>
      end(message.kind === "bytes" ? message : { kind: "failed", reason: message.reason, isLost: false }),
    );
    thread.once("messageerror", (error) => lose(error.message));
    thread.once("error", (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      if (isMemory) exceed(`it takes more than ${memoryMb} MB`);
      else lose(error.message);
    });
    thread.once("exit", () => lose("the thread ended without a result"));
    try {
      thread.postMessage(request);
    } catch (error) {
      // Inputs with functions, for one, cannot go to a thread.
      end({ kind: "failed", reason: error instanceof Error ? error.message : String(error), isLost: false });
    }
  });
}
