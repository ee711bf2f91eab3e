import { LRUCache } from "lru-cache";
import type { MessageContent } from "../message/content.ts";
import type { Clock } from "../shared/clock.ts";
import type { Logger } from "../shared/logger.ts";
import type { MessageDocument } from "../store/documents.ts";
import type { MessageStore } from "../store/message-store.ts";
import type { AttemptResult, Deliver } from "./deliver.ts";
import type { Partitions } from "./partitions.ts";
import type { RecordResults } from "./record-results.ts";

export interface Worker {
  /** A message that was just stored: delivered at once when this worker holds its partition and has room. */
  offer(message: MessageDocument, content: MessageContent, sizeBytes: number): void;
  /** Whether a message of the partition is being delivered. */
  busy(partition: number): boolean;
  start(): Promise<void>;
  /** Starts nothing new, waits for what is under way, at most so long, and gives its partitions up. */
  stop(drainMs: number): Promise<void>;
}

export interface WorkerOptions {
  readonly messages: MessageStore;
  /** Made with this worker's `busy`. */
  readonly partitions: (busy: (partition: number) => boolean) => Partitions;
  readonly deliver: Deliver;
  readonly results: RecordResults;
  readonly clock: Clock;
  readonly log: Logger;
  /** Deliveries under way at once. */
  readonly concurrency: number;
  /** Told of every attempt that was recorded. */
  readonly onAttempt: (result: AttemptResult, durationMs: number) => void;
}

interface Entry {
  readonly message: MessageDocument;
  readonly content: MessageContent | undefined;
  readonly sizeBytes: number;
}

const POLL_MS = 1_000;
const POLL_LIMIT = 500;
const MAX_PENDING = 5_000;
/** Bodies of waiting messages beyond this are read again from the store when their turn comes. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;
/** Longer than any poll under way remembers messages that were finished meanwhile. */
const MAX_SETTLED = 20_000;
const RECORD_RETRY_MS = 500;

/** Delivers the messages of the partitions that it holds: those handed over at once, the others found by polling. */
export function createWorker(options: WorkerOptions): Worker {
  const { messages, deliver, results, clock, log, concurrency, onAttempt } = options;
  const pending = new Map<string, Entry>();
  let pendingBytes = 0;
  const inFlight = new Map<string, number>();
  /** Attempts made of messages that were finished lately: a slow poll or a late offer must not repeat one. */
  const settled = new LRUCache<string, number>({ max: MAX_SETTLED });
  const partitions = options.partitions(busy);
  /** More was due than the last poll took: the next one follows as soon as there is room. */
  let backlog = false;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> = Promise.resolve();
  let draining = false;
  let stopped = false;
  let onIdle: (() => void) | undefined;

  function busy(partition: number): boolean {
    for (const used of inFlight.values()) if (used === partition) return true;
    return false;
  }

  function enqueue(entry: Entry): boolean {
    const { _id: id, attempts, partition } = entry.message;
    if (draining || pending.size >= MAX_PENDING || !partitions.holds(partition)) return false;
    if (pending.has(id) || inFlight.has(id) || (settled.get(id) ?? 0) > attempts) return false;
    const keep = pendingBytes + entry.sizeBytes <= MAX_PENDING_BYTES;
    pending.set(id, keep ? entry : { message: entry.message, content: undefined, sizeBytes: 0 });
    if (keep) pendingBytes += entry.sizeBytes;
    return true;
  }

  function pump(): void {
    for (const [id, entry] of pending) {
      if (inFlight.size >= concurrency) return;
      pending.delete(id);
      pendingBytes -= entry.sizeBytes;
      // The lease may have gone since; whoever has it now finds the message by polling.
      if (partitions.holds(entry.message.partition)) void run(entry);
    }
  }

  async function run({ message, content }: Entry): Promise<void> {
    inFlight.set(message._id, message.partition);
    const startedMs = clock.monotonicMs();
    try {
      const result = await deliver(message, content);
      await recordUntilDone(result);
      onAttempt(result, clock.monotonicMs() - startedMs);
    } catch (error) {
      log.warn({ err: error, message: message._id, traceId: message.traceId }, "attempt put off");
    } finally {
      inFlight.delete(message._id);
      if (inFlight.size === 0) onIdle?.();
      pump();
      if (backlog && pending.size < POLL_LIMIT / 2) pollNow();
    }
  }

  /** A message that has left must not be sent again because the store is away for a moment. */
  async function recordUntilDone(result: AttemptResult): Promise<void> {
    settled.set(result.transition.messageId, result.transition.attempts);
    for (;;) {
      try {
        return await results.record(result);
      } catch (error) {
        if (stopped) throw error;
        log.warn({ err: error, message: result.transition.messageId }, "result not recorded yet");
        await new Promise((resolve) => setTimeout(resolve, RECORD_RETRY_MS));
      }
    }
  }

  function pollNow(): void {
    backlog = false;
    polling = polling.then(poll);
  }

  async function poll(): Promise<void> {
    try {
      const held = partitions.held();
      if (held.length === 0 || pending.size + POLL_LIMIT > MAX_PENDING) return;
      const limit = POLL_LIMIT + inFlight.size + pending.size;
      const due = await messages.findDue(held, clock.now(), limit);
      for (const message of due) enqueue({ message, content: undefined, sizeBytes: 0 });
      backlog = due.length === limit;
      pump();
    } catch (error) {
      log.warn({ err: error }, "polling for due messages failed");
    }
  }

  return {
    busy,
    offer: (message, content, sizeBytes) => {
      if (message.state === "queued" && enqueue({ message, content, sizeBytes })) pump();
    },
    start: async () => {
      await partitions.start();
      await poll();
      timer = setInterval(pollNow, POLL_MS);
    },
    stop: async (drainMs) => {
      draining = true;
      clearInterval(timer);
      await polling;
      pending.clear();
      if (inFlight.size > 0) {
        const idle = new Promise<void>((resolve) => {
          onIdle = resolve;
        });
        await Promise.race([idle, new Promise((resolve) => setTimeout(resolve, drainMs).unref())]);
      }
      stopped = true;
      await partitions.stop();
    },
  };
}
