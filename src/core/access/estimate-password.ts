import { Worker } from "node:worker_threads";
import { fault } from "../../shared/fault.ts";
import { programFile } from "../../shared/program-file.ts";
import { createSlots } from "../../shared/slots.ts";
import type { Estimate, EstimateRequest } from "./judge-thread.ts";

/** @throws Fault service.busy when too many wait, or the estimate fails or takes too long */
export type EstimatePassword = (password: string, known: readonly string[]) => Promise<Estimate>;

export interface EstimateOptions {
  readonly timeoutMs?: number;
  /** Estimates that wait at most, with the one under way. */
  readonly mostWaiting?: number;
  /** The thread ends when it has had no work for this long: its lists of common words take memory. */
  readonly idleMs?: number;
  /** The compiled thread; for tests. */
  readonly threadEntry?: URL;
}

/** zxcvbn takes up to 0.7 s for 64 hostile characters, and grows with the cube of the length. */
export const MAX_ESTIMATED_LENGTH = 64;
const TIMEOUT_MS = 10_000;
const MOST_WAITING = 20;
const IDLE_MS = 30_000;
const RETRY_SECONDS = 2;

const THREAD = programFile("judge-thread.js");

/** Estimates passwords in a thread, one at a time, so that no other call waits for a hostile one. */
export function createEstimatePassword(options: EstimateOptions = {}): EstimatePassword {
  const { timeoutMs = TIMEOUT_MS, mostWaiting = MOST_WAITING } = options;
  const { idleMs = IDLE_MS, threadEntry = THREAD } = options;
  const slot = createSlots(1);
  let waiting = 0;
  /** `estimate` starts it; a failed estimate and the idle timer end it. */
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  async function endThread(): Promise<void> {
    const ending = thread;
    thread = undefined;
    await ending?.terminate();
  }

  async function estimate(request: EstimateRequest): Promise<Estimate> {
    clearTimeout(idle);
    thread ??= new Worker(threadEntry);
    const answer = await askThread(thread, request, timeoutMs);
    if (!answer) {
      await endThread();
      throw fault("service.busy", { retryAfterSeconds: RETRY_SECONDS });
    }
    idle = setTimeout(() => void endThread(), idleMs).unref();
    // A thread that waits must not keep the process from its end.
    thread.unref();
    return answer;
  }

  return async (password, known) => {
    if (waiting >= mostWaiting) throw fault("service.busy", { retryAfterSeconds: RETRY_SECONDS });
    waiting++;
    try {
      const begin = (text: string) =>
        [...text.slice(0, 2 * MAX_ESTIMATED_LENGTH)].slice(0, MAX_ESTIMATED_LENGTH).join("");
      return await slot(() => estimate({ password: begin(password), known: known.map(begin) }));
    } finally {
      waiting--;
    }
  };
}

/** Resolves to undefined when the thread fails, or takes too long. */
function askThread(
  thread: Worker,
  request: EstimateRequest,
  timeoutMs: number,
): Promise<Estimate | undefined> {
  return new Promise((resolve) => {
    const end = (answer?: Estimate) => {
      clearTimeout(timer);
      for (const event of ["message", "error", "exit"]) thread.removeAllListeners(event);
      // A thread that is being ended may still report an error.
      thread.on("error", () => {});
      resolve(answer);
    };
    const timer = setTimeout(() => end(), timeoutMs);
    thread.ref();
    thread.once("message", end);
    thread.once("error", () => end());
    thread.once("exit", () => end());
    thread.postMessage(request);
  });
}
