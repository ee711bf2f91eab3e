import type { Partitions } from "../leases/partitions.ts";
import type { Clock, Timers } from "../shared/clock.ts";
import type { Logger } from "../shared/logger.ts";
import type { MessageDocument } from "../store/message-documents.ts";
import { isRefused, isStoreAway } from "../store/store-fault.ts";
import type { AttemptResult } from "./attempt-result.ts";
import { AbandonedError, type AttemptMeans, type Deliver } from "./deliver.ts";
import type { Claims } from "./queue/claims.ts";
import type { Started } from "./queue/entry.ts";
import type { Pending } from "./queue/pending.ts";
import { damagedMessage, type Quarantine } from "./queue/quarantine.ts";
import type { RecordResults } from "./queue/record-results.ts";
import type { UnderWay } from "./queue/under-way.ts";
import type { Unrecorded } from "./queue/unrecorded.ts";
import type { Feedback } from "./routing/destination-limits.ts";

/** How far a worker has come in ending: each is set in this order, for good. */
export interface Closing {
  /** Nothing is begun any more. */
  readonly draining: boolean;
  /** Servers that cannot have their message yet are left. */
  readonly abandoning: boolean;
  /** Nothing is written any more. */
  readonly stopped: boolean;
}

export interface AttemptOptions {
  readonly deliver: Deliver;
  readonly results: RecordResults;
  readonly claims: Claims;
  readonly quarantine: Quarantine;
  readonly partitions: Partitions;
  readonly pending: Pending;
  readonly underWay: UnderWay;
  readonly unrecorded: Unrecorded;
  readonly closing: Closing;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
  /** Ends the turn of a message, so that the next one to its destination may go; told again, it does nothing. */
  readonly endTurn: (started: Started, feedback: Feedback) => void;
  /** Told of every attempt that was recorded. */
  readonly onAttempt: (message: MessageDocument, result: AttemptResult, durationMs: number) => void;
}

/**
 * Makes the attempt of a message whose turn has come, and records how it ended.
 * @returns whether it came to an end: otherwise it is as if it had not been made
 */
export type Attempt = (started: Started) => Promise<boolean>;

/** Results on their way to the store before servers have to wait for it. */
const MAX_UNAWAITED = 100;
const RECORD_RETRY_MS = 500;

/**
 * An attempt, in these steps:
 *
 * 1. lease: is it still the one under which the message was read?
 * 2. claim, where an earlier owner may have the message: without it nothing is sent
 * 3. delivery (`deliver.ts`), which asks for the lease again up to the final dot
 * 4. the turn ends, before the store knows of it, unless too much is unrecorded already
 * 5. the result is recorded, however often the store has to be asked; a message whose result the store refuses is
 *    quarantined, or it would be sent again
 * 6. the turn ends at the latest
 */
export function createAttempt(options: AttemptOptions): Attempt {
  const { deliver, results, claims, quarantine, partitions, pending, underWay, unrecorded, closing } =
    options;
  const { clock, timers, log, endTurn, onAttempt } = options;

  async function deliverOrLeave(
    message: MessageDocument,
    means: AttemptMeans,
  ): Promise<AttemptResult | "put off" | "quarantined"> {
    const { _id: id, traceId } = message;
    try {
      return await deliver(message, means);
    } catch (error) {
      if (!(error instanceof AbandonedError || closing.stopped || isStoreAway(error))) {
        // Nothing counts the attempt, which may have sent the message: the next one would end in the same way.
        await quarantineUntilDone(message, `an attempt has no result: ${error}`);
        return "quarantined";
      }
      if (error instanceof AbandonedError || closing.stopped) log.debug({ err: error, message: id }, "left");
      else log.warn({ err: error, message: id, traceId }, "attempt put off");
      return "put off";
    }
  }

  /** @returns false: the message was not claimed, or the store is unavailable; nothing is sent */
  async function claim(message: MessageDocument, epoch: number): Promise<boolean> {
    try {
      return await claims.claim(message, epoch);
    } catch (error) {
      log.warn({ err: error, message: message._id }, "attempt put off: the message could not be claimed");
      return false;
    }
  }

  /** While the message is in the queue it would be sent again. */
  async function quarantineUntilDone(message: MessageDocument, reason: string): Promise<void> {
    while (!(await quarantine([damagedMessage(message, reason)]))) {
      if (closing.stopped) return;
      await new Promise<void>((resolve) => timers.after(RECORD_RETRY_MS, resolve));
    }
  }

  /** A message that has left must not be sent again because the store is away for a moment. */
  async function recordUntilDone(result: AttemptResult, epoch: number): Promise<void> {
    const { message } = result;
    const { messageId, attempts, to } = result.transition;
    pending.settle(messageId, epoch, attempts);
    for (;;) {
      try {
        const recorded = await results.record({ ...result, transition: { ...result.transition, epoch } });
        if (recorded.applied) return;
        if (recorded.isUnchanged && partitions.lease(message.partition)?.epoch === epoch) {
          await quarantineUntilDone(message, `an attempt ended as ${to}, and the store does not record it`);
          return;
        }
        // The store counts from now on: if the message waits there still, it is read again.
        pending.settle(messageId, epoch, recorded.attempts);
        log.warn({ message: messageId, to, epoch }, "the message has moved on meanwhile");
        return;
      } catch (error) {
        if (closing.stopped) throw error;
        if (isRefused(error)) {
          // It would never succeed, and nothing else would be begun meanwhile.
          await quarantineUntilDone(message, `an attempt ended as ${to}, and cannot be recorded: ${error}`);
          return;
        }
        log.warn({ err: error, message: messageId }, "result not recorded yet");
        await new Promise<void>((resolve) => timers.after(RECORD_RETRY_MS, resolve));
      }
    }
  }

  return async (started) => {
    const { message, body, epoch, destination } = started;
    const { _id: id, partition } = message;
    // Whoever has it now finds the message by polling.
    if (partitions.lease(partition)?.epoch !== epoch) return false;
    if (!(await claim(message, epoch))) return false;
    // The claim took its time.
    if (closing.draining || partitions.lease(partition)?.epoch !== epoch) return false;
    const mayFinish = () =>
      !closing.abandoning &&
      unrecorded.mayFinish(clock.monotonicMs()) &&
      (partitions.mayFinish(partition, epoch) || underWay.isHidden(id));
    const { connections } = destination;
    const result = await deliverOrLeave(message, { body, mayFinish, connections });
    if (result === "quarantined") return true;
    if (result === "put off" || closing.stopped) return false;
    // A crash would have sent twice what is unrecorded.
    if (unrecorded.size < MAX_UNAWAITED) endTurn(started, result.feedback);
    await recordUntilDone(result, epoch).finally(unrecorded.begin(clock.monotonicMs()));
    endTurn(started, result.feedback);
    onAttempt(message, result, clock.monotonicMs() - started.startedMs);
    return true;
  };
}
