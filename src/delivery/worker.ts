import type { Deliveries, Partitions } from "../leases/partitions.ts";
import type { MessageBody } from "../message/content.ts";
import type { Clock } from "../shared/clock.ts";
import type { Logger } from "../shared/logger.ts";
import type { ContentStore } from "../store/content-store.ts";
import type { MessageDocument } from "../store/documents.ts";
import type { QueueStore } from "../store/queue-store.ts";
import { isUnreadable } from "../store/store-fault.ts";
import type { AttemptResult } from "./attempt-result.ts";
import { AbandonedError, type AttemptMeans, type Deliver } from "./deliver.ts";
import { createBacklog } from "./queue/backlog.ts";
import type { Started } from "./queue/entry.ts";
import { createPending } from "./queue/pending.ts";
import type { Quarantine } from "./queue/quarantine.ts";
import { createQueueReader } from "./queue/queue-reader.ts";
import type { RecordResults } from "./queue/record-results.ts";
import { createRoom } from "./queue/room.ts";
import { createUnderWay } from "./queue/under-way.ts";
import { createUnrecorded } from "./queue/unrecorded.ts";
import type { Withdraw } from "./queue/withdraw.ts";
import { type Feedback, SLOW_AFTER_MS } from "./routing/destination-limits.ts";
import type { Destinations } from "./routing/destinations.ts";
import { LAST_ANSWER_MS } from "./smtp-client/connection.ts";

export interface Worker {
  /** A message that was just stored: delivered at once when this worker holds its partition and has room. */
  offer(message: MessageDocument, content?: MessageBody): void;
  readonly held: Partitions["held"];
  readonly lease: Partitions["lease"];
  start(): Promise<void>;
  /**
   * Starts nothing new from now on, and leaves its partitions to other workers, if there are any.
   * @param drainMs in which what is under way may come to its end
   */
  drain(drainMs: number): void;
  /**
   * Drains, waits for what is under way, at most so long, and gives its partitions up. Then attempts are abandoned
   * whose server cannot have the message; the others have a moment more for its answer.
   */
  stop(drainMs: number): Promise<void>;
}

export interface WorkerOptions {
  readonly queue: QueueStore;
  readonly loadContents: ContentStore["loadMany"];
  readonly partitions: (deliveries: Deliveries) => Partitions;
  readonly destinations: Destinations;
  readonly deliver: Deliver;
  /** Ends attempts whose server cannot have the message yet, for good: no other one is begun after it. */
  readonly abandonAttempts: () => void;
  readonly results: RecordResults;
  readonly withdraw: Withdraw;
  /** Keeps messages aside that cannot be read. */
  readonly quarantine: Quarantine;
  readonly clock: Clock;
  readonly log: Logger;
  /** Deliveries under way at once. */
  readonly concurrency: number;
  /** An attempt that takes longer is slow: such ones leave room for others. */
  readonly slowAfterMs?: number;
  /** Told of every attempt that was recorded. */
  readonly onAttempt: (message: MessageDocument, result: AttemptResult, durationMs: number) => void;
  /** Told how many attempts are under way, whenever that changes. */
  readonly onUnderWay: (count: number) => void;
}

const POLL_MS = 1_000;
/** Results on their way to the store before servers have to wait for it. */
const MAX_UNAWAITED = 100;
const MAX_WITHDRAWALS = 500;
const RECORD_RETRY_MS = 500;
/** Messages under way have this size at most, together; a larger one goes alone. */
const MAX_IN_FLIGHT_BYTES = 256 * 1024 * 1024;
/** Longer than a delivery takes (RFC 5321 section 4.5.3.2): another owner does not see it before. */
const HOLD_MS = 30 * 60_000;
const HOLD_MARGIN_MS = 5_000;
/** At the very end, for the last answers and for what they say to be written. */
const LAST_MS = LAST_ANSWER_MS + 500;

/** Delivers the messages of the partitions that it holds: those handed over at once, the others found by polling. */
export function createWorker(options: WorkerOptions): Worker {
  const { queue, loadContents, deliver, results, withdraw, clock, log, concurrency, onAttempt, onUnderWay } =
    options;
  const { destinations, quarantine, slowAfterMs = SLOW_AFTER_MS } = options;
  const underWay = createUnderWay();
  const unrecorded = createUnrecorded();
  const partitions = options.partitions({
    busy: underWay.busy,
    hold,
    lost,
    claims: (isKept) => destinations.shares.claims(draining ? [] : backlog.waiting(), isKept),
    divide: (live) => {
      backlog.reconsider(destinations.shares.divide(live));
      pump();
    },
  });
  const room = createRoom({ places: concurrency, bytes: MAX_IN_FLIGHT_BYTES, slowAfterMs });
  const backlog = createBacklog({ concurrency, room });
  const pending = createPending({
    epochOf: (partition) => partitions.lease(partition)?.epoch,
    isUnderWay: underWay.has,
  });
  const reader = createQueueReader({ queue, loadContents, partitions, pending, quarantine, clock, enqueue });
  let timer: NodeJS.Timeout | undefined;
  let wakeTimer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  /** Set in this order, each for good: nothing is begun, nothing goes on, nothing is written any more. */
  let draining = false;
  let holdMs = HOLD_MS;
  let abandoning = false;
  let stopped = false;

  async function hold(ids: readonly number[]): Promise<void> {
    const messages = underWay.of(ids);
    await queue.hold(messages, new Date(clock.now().getTime() + holdMs));
    underWay.hide(messages);
    // What has ended meanwhile without a result is not hidden for nothing.
    await unhide(messages.filter(({ _id }) => !underWay.has(_id)));
  }

  async function unhide(messages: readonly MessageDocument[]): Promise<void> {
    await queue.unhide(messages, clock.now());
  }

  function lost(ids: readonly number[]): void {
    if (ids.length > 0) for (const id of pending.leaveAll(ids)) backlog.remove(id);
  }

  function enqueue(message: MessageDocument, epoch: number, content?: MessageBody): void {
    const admitted = draining ? undefined : pending.admit(message, epoch, content);
    if (!admitted) return;
    const { entry, gaveWay } = admitted;
    if (gaveWay) {
      backlog.remove(gaveWay.message._id);
      reader.missed(gaveWay.message);
    }
    const known = destinations.peek(message);
    if (known) {
      backlog.add(entry, known);
      return;
    }
    void destinations.of(message).then((destination) => {
      if (!pending.has(entry)) return;
      backlog.add(entry, destination);
      pump();
    });
  }

  function pump(): void {
    // What keeps results from being recorded ends with a result that was: then it is asked again.
    while (!draining && underWay.size < concurrency && unrecorded.mayStart(clock.monotonicMs())) {
      const started = backlog.next(clock.monotonicMs());
      if (!started) {
        wakeLater();
        return;
      }
      pending.leave(started.message._id);
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
    const { message } = started;
    let left = false;
    const leave = (feedback: Feedback) => {
      if (left) return;
      left = true;
      backlog.ended(started, feedback, clock.monotonicMs());
      pump();
    };
    underWay.begin(started);
    onUnderWay(underWay.size);
    try {
      if (await attempt(started, leave)) return;
      reader.missed(message);
      if (underWay.isHidden(message._id)) await unhide([message]);
    } catch (error) {
      if (!stopped) log.warn({ err: error, message: message._id }, "the end of an attempt was not recorded");
    } finally {
      underWay.end(started);
      onUnderWay(underWay.size);
      leave("unattempted");
      pump();
      if (reader.wantsMore()) pollNow();
    }
  }

  /** @returns whether it came to an end: otherwise it is as if it had not been made */
  async function attempt(started: Started, leave: (feedback: Feedback) => void): Promise<boolean> {
    const { message, content, epoch } = started;
    const { _id: id, partition } = message;
    // The lease may have gone since; whoever has it now finds the message by polling.
    if (partitions.lease(partition)?.epoch !== epoch) return false;
    const mayFinish = () =>
      !abandoning &&
      unrecorded.mayFinish(clock.monotonicMs()) &&
      (partitions.mayFinish(partition, epoch) || underWay.isHidden(id));
    const result = await deliverOrLeave(message, {
      body: content,
      mayFinish,
      connections: started.destination.connections,
    });
    if (!result || stopped) return false;
    // The server is done with the message: the next one to it does not wait for the store, unless too much is
    // unrecorded already, which a crash would have sent twice.
    if (unrecorded.size < MAX_UNAWAITED) leave(result.feedback);
    await recordUntilDone(result, epoch).finally(unrecorded.begin(clock.monotonicMs()));
    leave(result.feedback);
    onAttempt(message, result, clock.monotonicMs() - started.startedMs);
    return true;
  }

  async function deliverOrLeave(
    message: MessageDocument,
    means: AttemptMeans,
  ): Promise<AttemptResult | undefined> {
    try {
      return await deliver(message, means);
    } catch (error) {
      const { _id: id, traceId } = message;
      if (error instanceof AbandonedError || stopped) log.debug({ err: error, message: id }, "left");
      else log.warn({ err: error, message: id, traceId }, "attempt put off");
      return undefined;
    }
  }

  /** A message that has left must not be sent again because the store is away for a moment. */
  async function recordUntilDone(result: AttemptResult, epoch: number): Promise<void> {
    const { messageId, attempts } = result.transition;
    pending.settle(messageId, epoch, attempts);
    for (;;) {
      try {
        const recorded = await results.record({ ...result, transition: { ...result.transition, epoch } });
        if (recorded.applied) return;
        // What the store says counts from now on: if it has the message waiting still, it is read again.
        pending.settle(messageId, epoch, recorded.attempts);
        log.warn(
          { message: messageId, to: result.transition.to, epoch },
          "the message has moved on meanwhile",
        );
        return;
      } catch (error) {
        if (stopped) throw error;
        if (isUnreadable(error)) {
          // It would never succeed, and nothing else would be begun meanwhile.
          log.error({ err: error, message: messageId }, "result not recorded: what is stored is damaged");
          return;
        }
        log.warn({ err: error, message: messageId }, "result not recorded yet");
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
    const requests = await queue.findCancelRequests(partitions.held(), MAX_WITHDRAWALS);
    await quarantine(requests.unreadable);
    for (const message of requests.documents) {
      const { _id: id, attempts } = message;
      const lease = partitions.lease(message.partition);
      if (!lease || message.held || underWay.has(id)) continue;
      backlog.remove(id);
      pending.leave(id);
      pending.settle(id, lease.epoch, Number.POSITIVE_INFINITY);
      await withdraw(message, lease).catch((error) => {
        pending.settle(id, lease.epoch, attempts);
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
      if (!stopped) log.warn({ err: error }, "polling for due messages failed");
    }
  }

  function drain(drainMs: number): void {
    if (draining) return;
    draining = true;
    clearInterval(timer);
    clearTimeout(wakeTimer);
    // What ends with this process is not to be hidden for longer.
    holdMs = drainMs + LAST_MS + HOLD_MARGIN_MS;
    partitions.leave();
  }

  return {
    held: partitions.held,
    lease: partitions.lease,
    offer: (message, content) => {
      const lease = partitions.lease(message.partition);
      if (message.state !== "queued" || !lease) return;
      // What this process has just stored is dated by its own clock; what is told may be old news.
      if (reader.mayBeElsewhere(message, content === undefined ? undefined : 0)) return;
      enqueue(message, lease.epoch, content);
      pump();
    },
    start: async () => {
      await partitions.start();
      await poll();
      timer = setInterval(pollNow, POLL_MS);
    },
    drain,
    stop: async (drainMs) => {
      drain(drainMs);
      // A withdrawal that was begun must not meet the next owner's attempt.
      await Promise.all([underWay.idle(drainMs), Promise.race([polling, passed(drainMs)])]);
      abandoning = true;
      options.abandonAttempts();
      await underWay.idle(LAST_MS);
      stopped = true;
      if (underWay.size > 0) log.warn({ attempts: underWay.size }, "attempts were left without a result");
      await partitions.stop();
    },
  };
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
