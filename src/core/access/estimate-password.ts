import { Worker } from "node:worker_threads";
import { programFile } from "../../shared/program-file.ts";
import { busy, createBoundedSlots } from "./bounded-slots.ts";
import type { Estimate, EstimateRequest } from "./estimate-thread.ts";

/** @throws Fault service.busy when too many wait, or the estimate fails or takes too long */
export type EstimatePassword = (password: string, known: readonly string[]) => Promise<Estimate>;

export interface EstimateOptions {
  readonly timeoutMs?: number;
  /** Maximum number of estimates that wait, including the running one. */
  readonly mostWaiting?: number;
  /** The thread ends after this idle time, because its word lists use memory. */
  readonly idleMs?: number;
  /** The compiled thread; for tests. */
  readonly threadEntry?: URL;
}

/** zxcvbn takes up to 0.7 s for 64 hostile characters, and grows with the cube of the length. */
export const MAX_ESTIMATED_LENGTH = 64;
const TIMEOUT_MS = 10_000;
const MOST_WAITING = 20;
const IDLE_MS = 30_000;

const THREAD = programFile("estimate-thread.js");

/** Estimates passwords in a thread, one at a time, so that a hostile password does not delay other calls. */
export function createEstimatePassword(options: EstimateOptions = {}): EstimatePassword {
  const { timeoutMs = TIMEOUT_MS, mostWaiting = MOST_WAITING } = options;
  const { idleMs = IDLE_MS, threadEntry = THREAD } = options;
  const oneAtATime = createBoundedSlots(1, mostWaiting);
  /** `estimate` starts the thread; a failed estimate or the idle timer ends it. */
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  async function endThread(): Promise<void> {
    const ending = thread;
    thread = undefined;
    await ending?.terminate();
  }

  async function estimate(request: EstimateRequest): Promise<Estimate> {
    clearTimeout(idle);
    // Node sets the id to -1 when a thread has ended.
    if (!thread || thread.threadId === -1) thread = new Worker(threadEntry);
    const answer = await askThread(thread, request, timeoutMs);
    if (!answer) {
      await endThread();
      throw busy();
    }
    idle = setTimeout(() => void endThread(), idleMs).unref();
    // An idle thread must not keep the process alive.
    thread.unref();
    return answer;
  }

  return (password, known) =>
    oneAtATime(() => estimate({ password: beginningOf(password), known: known.map(beginningOf) }));
}

function beginningOf(text: string): string {
  return [...text.slice(0, 2 * MAX_ESTIMATED_LENGTH)].slice(0, MAX_ESTIMATED_LENGTH).join("");
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
