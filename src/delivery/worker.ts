import type { MessageBody } from "../message/content.ts";
import { systemTimers } from "../shared/clock.ts";
import { LAST_ANSWER_MS } from "../smtp-client/connection.ts";
import type { FencedAttempt } from "../store/handover.ts";
import type { MessageDocument } from "../store/message-documents.ts";
import { createAttempt } from "./attempt.ts";
import { createBacklog } from "./queue/backlog.ts";
import { createCapacity } from "./queue/capacity.ts";
import { createClaims } from "./queue/claims.ts";
import type { Started } from "./queue/entry.ts";
import { createFindStrays } from "./queue/find-strays.ts";
import { createPending } from "./queue/pending.ts";
import { createQueueReader } from "./queue/queue-reader.ts";
import { createUnderWay } from "./queue/under-way.ts";
import { createUnrecorded } from "./queue/unrecorded.ts";
import { createWithdrawals } from "./queue/withdraw.ts";
import { type Feedback, SLOW_AFTER_MS } from "./routing/destination-limits.ts";
import type { Worker, WorkerOptions } from "./worker-options.ts";

const POLL_MS = 1_000;
/** Total size of messages in progress; a larger message is sent alone. */
const MAX_IN_FLIGHT_BYTES = 256 * 1024 * 1024;
/** Longer than a delivery takes (RFC 5321 section 4.5.3.2): another owner does not see it before. */
const HOLD_MS = 30 * 60_000;
const HOLD_MARGIN_MS = 5_000;
/** Maximum time ahead for a scheduled message, unless an option extends it. */
const LATEST_DUE_MS = 60 * 24 * 3_600_000;
/** At the very end, for the last replies and their recording. */
const LAST_MS = LAST_ANSWER_MS + 500;

/**
 * Delivers the messages of the partitions that it holds: dispatched messages at once, the others by polling.
 *
 * | State | Changed by |
 * |---|---|
 * | `pending`, `backlog`: waiting messages | `enqueue`, for a found or received message; `pump`, at its turn; `lost`, with its lease; a withdrawal |
 * | `backlog`: messages in their turn | `pump` begins the turn; `endTurn` ends it, after the server is done with the message |
 * | `underWay` | `run`, at the begin of an attempt, and after it is recorded |
 * | `underWay`: hidden messages | `hold`, when their partition is given up |
 * | `unrecorded` | `attempt`, when a result begins to wait for the store, and after it is written |
 * | `reader`: messages to read again | `run`, after an attempt that was not made; `enqueue`, when a message gave way |
 * | `polling` | `pollNow`, during a poll |
 * | `withdrawing` | `withdrawNow`, during a withdrawal |
 * | `straying` | `checkStrays`, during a check for damaged messages |
 * | `stopPolling` | `start` sets it, `drain` calls it |
 * | `cancelWake` | `pump` sets it when no turn may begin; `drain` calls it |
 * | `holdMs` | `drain`; from then on, nothing lasts longer than this process |
 * | `closing` | `drain`, then `stop`, each field once |
 */
export function createWorker(options: WorkerOptions): Worker {
  const { queue, withdraw, clock, log, concurrency, onUnderWay } = options;
  const {
    destinations,
    holds,
    quarantine,
    slowAfterMs = SLOW_AFTER_MS,
    timers = systemTimers,
    onPolled,
  } = options;
  const closing = { draining: false, abandoning: false, stopped: false };
  const underWay = createUnderWay();
  const unrecorded = createUnrecorded();
  const partitions = options.partitions({
    busy: underWay.busy,
    hold,
    lost,
    claims: (isKept) => destinations.shares.claims(closing.draining ? [] : backlog.waiting(), isKept),
    divide: (live) => {
      backlog.reconsider(destinations.shares.divide(live));
      pump();
    },
  });
  const capacity = createCapacity({ slots: concurrency, bytes: MAX_IN_FLIGHT_BYTES, slowAfterMs });
  const backlog = createBacklog({ concurrency, capacity });
  const pending = createPending({
    epochOf: (partition) => partitions.lease(partition)?.epoch,
    isUnderWay: underWay.has,
  });
  const reader = createQueueReader({ ...options, partitions, pending, enqueue });
  const claims = createClaims({ queue, partitions, clock });
  const attempt = createAttempt({
    ...options,
    claims,
    timers,
    partitions,
    pending,
    underWay,
    unrecorded,
    closing,
    endAttempt,
  });
  const { latestDueMs: latestMs = LATEST_DUE_MS } = options;
  const findStrays = createFindStrays({ queue, partitions, pending, underWay, quarantine, clock, latestMs });
  const withdrawals = createWithdrawals({
    queue,
    partitions,
    backlog,
    pending,
    underWay,
    quarantine,
    withdraw,
    clock,
  });
  let stopPolling = () => {};
  let cancelWake = () => {};
  let polling: Promise<void> | undefined;
  let withdrawing: Promise<void> | undefined;
  let straying: Promise<void> | undefined;
  let holdMs = HOLD_MS;

  async function hold(ids: readonly number[]): Promise<void> {
    const attempts = underWay.of(ids);
    // Only these: during a slow query, others may have received the message.
    const hidden = await queue.hold(attempts.map(fenced), new Date(clock.now().getTime() + holdMs));
    underWay.hide(hidden);
    // A message must not stay hidden if its attempt ended without a result.
    await unhide(attempts.filter(({ message: { _id: id } }) => hidden.has(id) && !underWay.has(id)));
  }

  async function unhide(attempts: readonly Started[]): Promise<void> {
    await queue.unhide(attempts.map(fenced), clock.now());
  }

  function lost(ids: readonly number[]): void {
    if (ids.length === 0) return;
    const gone = new Set(ids);
    for (const { _id: id } of pending.leaveWhere(({ partition }) => gone.has(partition))) backlog.remove(id);
  }

  /** Removes newly held messages from memory. The store keeps them. */
  async function followHolds(): Promise<void> {
    if (!(await holds.refresh())) return;
    for (const message of pending.leaveWhere(holds.isHeld)) {
      backlog.remove(message._id);
      reader.missed(message);
    }
  }

  function enqueue(message: MessageDocument, epoch: number, body?: MessageBody): void {
    if (holds.isHeld(message)) {
      reader.missed(message);
      return;
    }
    const admitted = closing.draining ? undefined : pending.admit(message, epoch, body);
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
    // After a recorded result, recording works again, so waiting messages are checked.
    while (!closing.draining && underWay.size < concurrency && unrecorded.mayStart(clock.monotonicMs())) {
      const started = backlog.next(clock.monotonicMs());
      if (!started) {
        wakeLater();
        return;
      }
      pending.leave(started.message._id);
      void run(started);
    }
  }

  /** A paused destination continues after its pause. */
  function wakeLater(): void {
    cancelWake();
    const waitMs = backlog.wakesAtMs() - clock.monotonicMs();
    if (Number.isFinite(waitMs)) cancelWake = timers.after(Math.max(1, waitMs), pump);
  }

  function endAttempt(started: Started, feedback: Feedback): void {
    backlog.ended(started, feedback, clock.monotonicMs());
    pump();
  }

  async function run(started: Started): Promise<void> {
    const { message } = started;
    underWay.begin(started);
    onUnderWay(underWay.size);
    try {
      if (await attempt(started)) return;
      reader.missed(message);
      if (underWay.isHidden(message._id)) await unhide([started]);
    } catch (error) {
      if (!closing.stopped)
        log.warn({ err: error, message: message._id }, "the end of an attempt was not recorded");
    } finally {
      underWay.end(started);
      onUnderWay(underWay.size);
      // No result has ended it if the attempt was not made.
      endAttempt(started, "unattempted");
      if (reader.wantsMore()) pollNow();
    }
  }

  function pollNow(): void {
    if (closing.draining) return;
    polling ??= poll().finally(() => {
      polling = undefined;
    });
  }

  async function poll(): Promise<void> {
    try {
      await followHolds();
      withdrawNow();
      await reader.read();
      pump();
      checkStrays();
    } catch (error) {
      if (!closing.stopped) log.warn({ err: error }, "polling for due messages failed");
    }
    onPolled?.();
  }

  /** Cancelling thousands of messages takes time; due messages are read during it. */
  function withdrawNow(): void {
    withdrawing ??= withdrawals()
      .catch((error) => {
        if (!closing.stopped) log.warn({ err: error }, "cancelled messages could not be withdrawn yet");
      })
      .finally(() => {
        withdrawing = undefined;
      });
  }

  function checkStrays(): void {
    straying ??= findStrays()
      .catch((error) => {
        if (!closing.stopped) log.warn({ err: error }, "the check for damaged messages failed");
      })
      .finally(() => {
        straying = undefined;
      });
  }

  function drain(drainMs: number): void {
    if (closing.draining) return;
    closing.draining = true;
    stopPolling();
    cancelWake();
    // Attempts that end with this process must not be hidden for longer.
    holdMs = drainMs + LAST_MS + HOLD_MARGIN_MS;
    partitions.leave();
  }

  return {
    held: partitions.held,
    lease: partitions.lease,
    receive: (message, body) => {
      const lease = partitions.lease(message.partition);
      if (message.state !== "queued" || !lease) return;
      // A message that this process has just stored is dated by its own clock; a dispatched id may be outdated.
      if (claims.mayBeElsewhere(message, body === undefined ? undefined : 0)) return;
      enqueue(message, lease.epoch, body);
      pump();
    },
    start: async () => {
      await partitions.start();
      await poll();
      stopPolling = timers.every(POLL_MS, pollNow);
    },
    drain,
    stop: async (drainMs) => {
      drain(drainMs);
      // A started withdrawal must not meet the next owner's attempt.
      await Promise.all([
        underWay.idle(drainMs),
        Promise.race([Promise.all([polling, withdrawing, straying]), passed(drainMs)]),
      ]);
      closing.abandoning = true;
      options.abandonAttempts();
      await underWay.idle(LAST_MS);
      closing.stopped = true;
      if (underWay.size > 0) log.warn({ attempts: underWay.size }, "attempts were left without a result");
      await partitions.stop();
    },
  };
}

function fenced({ message: { _id, bucket, attempts }, epoch }: Started): FencedAttempt {
  return { _id, bucket, attempts, epoch };
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
