import { Worker } from "node:worker_threads";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { programFile } from "../../shared/program-file.ts";
import type { ReportDigest } from "./digest-reports.ts";
import type { ReportForm, ReportMessage, ReportRequest } from "./report-thread.ts";

export interface ReportReaderOptions {
  /** At work at the same time. */
  readonly threads?: number;
  /** For all that one mail or upload has. */
  readonly timeoutMs?: number;
  /**
   * Of each thread, without the bytes that it reads, which have bounds of their own. It is the last resort: V8 ends the whole process
   * when a thread asks for much at once beyond it, which is why texts, rows and numbers of things are bounded where they are read.
   */
  readonly memoryMb?: number;
  /** The compiled thread; for tests. */
  readonly threadEntry?: URL;
}

export interface ReportReader {
  /**
   * What a mail brings, or was uploaded: one digest for each document in it, at least one. What takes too long, or too much
   * memory, is unreadable, too.
   * @throws Fault service.busy: as much as may wait for its turn does
   */
  readonly read: (bytes: Uint8Array, form: ReportForm) => Promise<ReportDigest[]>;
}

/** Several times what the largest reports take: 200,000 rows, 100 MB. */
const TIMEOUT_MS = 60_000;
const MEMORY_MB = 1_024;

const THREAD = programFile("report-thread.js");

/** Of what is read or waits for it: who sends it cannot fill the memory, whoever that is. */
const MAX_WAITING_BYTES = 128 * 1024 * 1024;
const MAX_WAITING = 1_000;

interface Job {
  readonly bytes: Uint8Array;
  readonly form: ReportForm;
  readonly resolve: (readings: ReportDigest[]) => void;
}

/**
 * Reads reports in threads, so that nobody else waits for a large one. A thread lives as long as there is something to read: it
 * starts in some 100 ms, and what it holds of a large report goes away with it. One that dies or hangs is replaced.
 */
export function createReportReader(options: ReportReaderOptions = {}): ReportReader {
  const { threads = 1, timeoutMs = TIMEOUT_MS, memoryMb = MEMORY_MB, threadEntry = THREAD } = options;
  const queue: Job[] = [];
  /** Of threads; `work` changes it. */
  let working = 0;
  /** Of the jobs that are not done; `read` changes it. */
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
  /** Why the thread cannot go on; the readings are those before that. */
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
      // What is terminated may still tell of an error, which nobody waits for.
      thread.on("error", () => {});
      resolve(failure === undefined ? { readings } : { readings, failure });
    };
    const timer = setTimeout(
      () => end(`it takes longer than ${timeoutMs / 1_000} seconds to read`),
      timeoutMs,
    );
    thread.on("message", (message: ReportMessage) => {
      if (message.kind === "end") return end();
      readings.push(message.reading);
      request({ kind: "next" });
    });
    thread.once("error", (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      end(isMemory ? `it takes more than ${memoryMb} MB to read` : `reading it failed: ${error.message}`);
    });
    thread.once("exit", () => end("reading it ended without a result"));
    // A copy, which the thread can have: others may use the rest of the memory that the source lies in.
    const copy = new Uint8Array(bytes);
    request({ kind: "read", form, bytes: copy }, [copy.buffer]);
  });
}
