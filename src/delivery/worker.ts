import type { MessageBody } from "../message/body.ts";
import type { Clock } from "../shared/clock.ts";
import type { Logger } from "../shared/logger.ts";
import type { ContentStore } from "../store/content-store.ts";
import type { MessageDocument } from "../store/documents.ts";
import type { QueueStore } from "../store/queue-store.ts";
import type { AttemptResult, Deliver } from "./deliver.ts";
import { createBacklog, type Started } from "./queue/backlog.ts";
import type { Deliveries, Partitions } from "./queue/partitions.ts";
import { createPending } from "./queue/pending.ts";
import { createQueueReader } from "./queue/queue-reader.ts";
import type { RecordResults } from "./queue/record-results.ts";
import type { Withdraw } from "./queue/withdraw.ts";
import type { Feedback } from "./routing/destination-limits.ts";
import type { Destinations } from "./routing/destinations.ts";

export interface Worker {
  /** A message that was just stored: delivered at once when this worker holds its partition and has room. */
  offer(message: MessageDocument, content?: MessageBody): void;
  readonly held: Partitions["held"];
  readonly lease: Partitions["lease"];
  start(): Promise<void>;
  /** Starts nothing new, waits for what is under way, at most so long, and gives its partitions up. */
  stop(drainMs: number): Promise<void>;
}

export interface WorkerOptions {
  readonly queue: QueueStore;
  readonly loadContents: ContentStore["loadMany"];
  readonly partitions: (deliveries: Deliveries) => Partitions;
  readonly destinations: (workers: () => number) => Destinations;
  readonly deliver: Deliver;
  readonly results: RecordResults;
  readonly withdraw: Withdraw;
  readonly clock: Clock;
  readonly log: Logger;
  /** Deliveries under way at once. */
  readonly concurrency: number;
  /** Told of every attempt that was recorded. */
  readonly onAttempt: (message: MessageDocument, result: AttemptResult, durationMs: number) => void;
  /** Told how many attempts are under way, whenever that changes. */
  readonly onUnderWay: (count: number) => void;
}

const POLL_MS = 1_000;
/** Results on their way to the store before servers have to wait for it. */
const MAX_UNRECORDED = 100;
const MAX_WITHDRAWALS = 500;
const RECORD_RETRY_MS = 500;
/** Messages under way have this size at most, together; a larger one goes alone. */
const MAX_IN_FLIGHT_BYTES = 256 * 1024 * 1024;
/** Longer than a delivery takes (RFC 5321 section 4.5.3.2): another owner does not see it before. */
const HOLD_MS = 30 * 60_000;

/** Delivers the messages of the partitions that it holds: those handed over at once, the others found by polling. */
export function createWorker(options: WorkerOptions): Worker {
  const { queue, loadContents, deliver, results, withdraw, clock, log, concurrency, onAttempt, onUnderWay } =
    options;
  const inFlight = new Map<string, MessageDocument>();
  let inFlightBytes = 0;
  let recording = 0;
  const partitions = options.partitions({ busy, hold });
  const destinations = options.destinations(partitions.workers);
  const backlog = createBacklog({ concurrency });
  const pending = createPending({
    holds: (partition) => partitions.lease(partition) !== undefined,
    inFlight,
  });
  const reader = createQueueReader({ queue, loadContents, partitions, pending, clock, enqueue });
  let timer: NodeJS.Timeout | undefined;
  let wakeTimer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let draining = false;
  let stopped = false;
  let onIdle: (() => void) | undefined;

  function busy(partition: number): boolean {
    for (const message of inFlight.values()) if (message.partition === partition) return true;
    return false;
  }

  function hold(ids: readonly number[]): Promise<void> {
    const held = [...inFlight.values()].filter(({ partition }) => ids.includes(partition));
    return queue.hold(held, new Date(clock.now().getTime() + HOLD_MS));
  }

  function enqueue(message: MessageDocument, content?: MessageBody): void {
    if (draining || !pending.admit(message)) return;
    const entry = { message, content: pending.keep(message, content) };
    const known = destinations.peek(message);
    if (known) {
      backlog.add(entry, known);
      return;
    }
    void destinations.of(message).then((destination) => {
      if (!pending.has(message._id)) return;
      backlog.add(entry, destination);
      pump();
    });
  }

  function pump(): void {
    while (!draining && inFlight.size < concurrency && inFlightBytes < MAX_IN_FLIGHT_BYTES) {
      const started = backlog.next(clock.monotonicMs());
      if (!started) {
        wakeLater();
        return;
      }
      pending.leave(started);
      void run(started);
    }
  }

  /** A destination that wants a pause is asked again when it is over. */
  function wakeLater(): void {
    clearTimeout(wakeTimer);
    const waitMs = backlog.wakesAtMs() - clock.monotonicMs();
    if (Number.isFinite(waitMs)) wakeTimer = setTimeout(pump, Math.max(1, waitMs));
  }

  async function run(started: Started): Promise<void> {
    const { message, content } = started;
    let left = false;
    const leave = (feedback: Feedback) => {
      if (left) return;
      left = true;
      backlog.ended(started, feedback, clock.monotonicMs());
      pump();
    };
    inFlight.set(message._id, message);
    inFlightBytes += message.sizeBytes;
    onUnderWay(inFlight.size);
    try {
      // The lease may have gone since; whoever has it now finds the message by polling.
      const lease = partitions.lease(message.partition);
      if (!lease) return;
      const result = await deliver(message, content);
      // The server is done with the message: the next one to it does not wait for the store, unless too much is
      // unrecorded already, which a crash would have sent twice.
      if (recording < MAX_UNRECORDED) leave(result.feedback);
      recording++;
      await recordUntilDone(result, lease.epoch).finally(() => recording--);
      leave(result.feedback);
      onAttempt(message, result, clock.monotonicMs() - started.startedMs);
    } catch (error) {
      log.warn({ err: error, message: message._id, traceId: message.traceId }, "attempt put off");
    } finally {
      inFlight.delete(message._id);
      inFlightBytes -= message.sizeBytes;
      onUnderWay(inFlight.size);
      leave("neutral");
      if (inFlight.size === 0) onIdle?.();
      pump();
      if (reader.wantsMore()) pollNow();
    }
  }

  /** A message that has left must not be sent again because the store is away for a moment. */
  async function recordUntilDone(result: AttemptResult, epoch: number): Promise<void> {
    pending.settle(result.transition.messageId, result.transition.attempts);
    for (;;) {
      try {
        return await results.record({ ...result, transition: { ...result.transition, epoch } });
      } catch (error) {
        if (stopped) throw error;
        log.warn({ err: error, message: result.transition.messageId }, "result not recorded yet");
        await new Promise((resolve) => setTimeout(resolve, RECORD_RETRY_MS));
      }
    }
  }

  function pollNow(): void {
    if (draining) return;
    polling ??= poll().finally(() => {
      polling = undefined;
    });
  }

  /** Messages that somebody wants back and that are not under way: the owner alone can tell. */
  async function withdrawRequested(): Promise<void> {
    for (const message of await queue.findCancelRequests(partitions.held(), MAX_WITHDRAWALS)) {
      const lease = partitions.lease(message.partition);
      if (!lease || message.held || inFlight.has(message._id)) continue;
      const entry = backlog.remove(message._id);
      pending.leave(entry ?? { message, content: undefined });
      pending.settle(message._id, Number.POSITIVE_INFINITY);
      await withdraw(message, lease).catch((error) => {
        pending.settle(message._id, message.attempts);
        throw error;
      });
    }
  }

  async function poll(): Promise<void> {
    try {
      await withdrawRequested();
      await reader.read();
      pump();
    } catch (error) {
      log.warn({ err: error }, "polling for due messages failed");
    }
  }

  return {
    held: partitions.held,
    lease: partitions.lease,
    offer: (message, content) => {
      if (message.state !== "queued") return;
      // What this process has just stored itself nobody else can have; what is told may be old news.
      if (content === undefined && reader.mayBeElsewhere(message)) return;
      enqueue(message, content);
      pump();
    },
    start: async () => {
      await partitions.start();
      await poll();
      timer = setInterval(pollNow, POLL_MS);
    },
    stop: async (drainMs) => {
      draining = true;
      clearInterval(timer);
      clearTimeout(wakeTimer);
      await polling;
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
