import { Worker } from "node:worker_threads";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { programFile } from "../../shared/program-file.ts";
import type { ReportDigest } from "./digest-reports.ts";
import type { ReportForm, ReportMessage, ReportRequest } from "./report-thread.ts";

export interface ReportReaderOptions {
  /** Maximum number of concurrent threads. */
  readonly threads?: number;
  /** Time limit for all documents of one mail or upload. */
  readonly timeoutMs?: number;
  /**
   * Memory limit of each thread, without the input bytes, which have their own limits. This is a last resort: V8 ends
   * the whole process when a thread allocates much beyond the limit at once. Therefore the parsers limit texts, rows
   * and counts.
   */
  readonly memoryMb?: number;
  /** The compiled thread; set by tests. */
  readonly threadEntry?: URL;
}

export interface ReportReader {
  /**
   * Reads a mail or an upload: one digest for each document in it, and at least one. A document that takes too long
   * or too much memory is unreadable.
   * @throws Fault service.busy: the queue is full
   */
  readonly read: (bytes: Uint8Array, form: ReportForm) => Promise<ReportDigest[]>;
}

/** Several times the needs of the largest reports: 200,000 rows, 100 MB. */
const TIMEOUT_MS = 60_000;
const MEMORY_MB = 1_024;

const THREAD = programFile("report-thread.js");

/** Limit of the bytes that are being read or wait, so that no sender can fill the memory. */
const MAX_WAITING_BYTES = 128 * 1024 * 1024;
const MAX_WAITING = 1_000;

interface Job {
  readonly bytes: Uint8Array;
  readonly form: ReportForm;
  readonly resolve: (readings: ReportDigest[]) => void;
}

/**
 * Reads reports in threads, so that a large report does not block other work. A thread lives while there is something
 * to read: it starts in about 100 ms, and its memory is released when it ends. A thread that dies or hangs is
 * replaced.
 */
export function createReportReader(options: ReportReaderOptions = {}): ReportReader {
  const { threads = 1, timeoutMs = TIMEOUT_MS, memoryMb = MEMORY_MB, threadEntry = THREAD } = options;
  const queue: Job[] = [];
  /** Number of threads; `work` changes it. */
  let working = 0;
  /** Bytes of unfinished jobs; `read` changes it. */
  let waitingBytes = 0;
  let waiting = 0;

  async function work(): Promise<void> {
    working++;
    let thread: Worker | undefined;
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      thread ??= new Worker(threadEntry, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
      const { readings, failure } = await readIn(thread, job, { timeoutMs, memoryMb });
      if (failure !== undefined) {
        readings.push({ kind: "unreadable", reason: failure });
        await thread.terminate();
        thread = undefined;
      }
      job.resolve(readings);
    }
    working--;
    await thread?.terminate();
  }

  return {
    read: async (bytes, form) => {
      if (waiting >= MAX_WAITING || waitingBytes + bytes.length > MAX_WAITING_BYTES)
        throw fault("service.busy", { public: say("many_reports_being_read_send_again") });
      waiting++;
      waitingBytes += bytes.length;
      const readings = await new Promise<ReportDigest[]>((resolve) => {
        queue.push({ bytes, form, resolve });
        if (working < threads) void work();
      });
      waiting--;
      waitingBytes -= bytes.length;
      return readings;
    },
  };
}

interface Outcome {
  readonly readings: ReportDigest[];
  /** Why the thread stopped. `readings` precede the failure. */
  readonly failure?: string;
}

function readIn(
  thread: Worker,
  { bytes, form }: Pick<Job, "bytes" | "form">,
  { timeoutMs, memoryMb }: { readonly timeoutMs: number; readonly memoryMb: number },
): Promise<Outcome> {
  const readings: ReportDigest[] = [];
  const request = (message: ReportRequest, transfer: readonly ArrayBuffer[] = []) =>
    thread.postMessage(message, transfer);

  return new Promise<Outcome>((resolve) => {
    const end = (failure?: string) => {
      clearTimeout(timer);
      for (const event of ["message", "error", "exit"]) thread.removeAllListeners(event);
      // A terminated thread may still emit an error, which is irrelevant.
      thread.on("error", () => {});
      resolve(failure === undefined ? { readings } : { readings, failure });
    };
    const timer = setTimeout(
      () => end(`reading it takes longer than ${timeoutMs / 1_000} seconds`),
      timeoutMs,
    );
    thread.on("message", (message: ReportMessage) => {
      if (message.kind === "end") return end();
      readings.push(message.reading);
      request({ kind: "next" });
    });
    thread.once("error", (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      end(isMemory ? `reading it takes more than ${memoryMb} MB` : `reading it failed: ${error.message}`);
    });
    thread.once("exit", () => end("reading it ended without a result"));
    // A copy for the thread: other code may use the rest of the underlying buffer.
    const copy = new Uint8Array(bytes);
    request({ kind: "read", form, bytes: copy }, [copy.buffer]);
  });
}
