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

/** Progress of a worker's shutdown: each flag is set in this order, permanently. */
export interface Closing {
  /** No attempt begins any more. */
  readonly draining: boolean;
  /** Attempts end at servers that cannot have their message yet. */
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
  /** Ends the turn of a message, so that the next one to its destination may begin; repeated calls do nothing. */
  readonly endAttempt: (started: Started, feedback: Feedback) => void;
  /** Called with every recorded attempt. */
  readonly onAttempt: (message: MessageDocument, result: AttemptResult, durationMs: number) => void;
}

/**
 * Makes the attempt of a message at its turn, and records the result.
 * @returns true if it came to an end; otherwise it counts as not made
 */
export type Attempt = (started: Started) => Promise<boolean>;

/** Maximum of results in recording before servers must wait for it. */
const MAX_UNAWAITED = 100;
const RECORD_RETRY_MS = 500;

/**
 * An attempt, in these steps:
 *
 * 1. lease: check that it is still the lease under which the message was read
 * 2. claim, if an earlier owner may have the message: nothing is sent without it
 * 3. delivery (`deliver.ts`), which checks the lease again up to the final dot
 * 4. the turn ends before the result is stored, unless too many results are unrecorded
 * 5. the result is recorded, with retries; if the store refuses the result, the message is quarantined, because it
 * would be sent again
 * 6. the turn ends at the latest
 */
export function createAttempt(options: AttemptOptions): Attempt {
  const { deliver, results, claims, quarantine, partitions, pending, underWay, unrecorded, closing } =
    options;
  const { clock, timers, log, endAttempt, onAttempt } = options;

  async function deliverOrLeave(
    message: MessageDocument,
    means: AttemptMeans,
  ): Promise<AttemptResult | "put off" | "quarantined"> {
    const { _id: id, traceId } = message;
    try {
      return await deliver(message, means);
    } catch (error) {
      if (!(error instanceof AbandonedError || closing.stopped || isStoreAway(error))) {
        // The attempt is not counted although it may have sent the message: the next one would end in the same way.
        await quarantineUntilDone(message, `an attempt has no result: ${error}`);
        return "quarantined";
      }
      if (error instanceof AbandonedError || closing.stopped) log.debug({ err: error, message: id }, "left");
      else log.warn({ err: error, message: id, traceId }, "attempt put off");
      return "put off";
    }
  }

  /** @returns false if the message was not claimed or the store is unavailable; nothing is sent */
  async function claim(message: MessageDocument, epoch: number): Promise<boolean> {
    try {
      return await claims.claim(message, epoch);
    } catch (error) {
      log.warn({ err: error, message: message._id }, "attempt put off: the message could not be claimed");
      return false;
    }
  }

  /** It would be sent again while it is in the queue. */
  async function quarantineUntilDone(message: MessageDocument, reason: string): Promise<void> {
    while (!(await quarantine([damagedMessage(message, reason)]))) {
      if (closing.stopped) return;
      await new Promise<void>((resolve) => timers.after(RECORD_RETRY_MS, resolve));
    }
  }

  /** A sent message must not be sent again because of a short outage of the store. */
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
        // From now on the store decides: if the message still waits there, it is read again.
        pending.settle(messageId, epoch, recorded.attempts);
        log.warn({ message: messageId, to, epoch }, "the message has moved on meanwhile");
        return;
      } catch (error) {
        if (closing.stopped) throw error;
        if (isRefused(error)) {
          // It would never succeed, and would block all other attempts.
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
    // The present owner finds the message by polling.
    if (partitions.lease(partition)?.epoch !== epoch) return false;
    if (!(await claim(message, epoch))) return false;
    // The claim takes time.
    if (closing.draining || partitions.lease(partition)?.epoch !== epoch) return false;
    const mayFinish = () =>
      !closing.abandoning &&
      unrecorded.mayFinish(clock.monotonicMs()) &&
      (partitions.mayFinish(partition, epoch) || underWay.isHidden(id));
    const { connections } = destination;
    const result = await deliverOrLeave(message, { body, mayFinish, connections });
    if (result === "quarantined") return true;
    if (result === "put off" || closing.stopped) return false;
    // After a crash, unrecorded messages would be sent twice.
    if (unrecorded.size < MAX_UNAWAITED) endAttempt(started, result.feedback);
    await recordUntilDone(result, epoch).finally(unrecorded.begin(clock.monotonicMs()));
    endAttempt(started, result.feedback);
    onAttempt(message, result, clock.monotonicMs() - started.startedMs);
    return true;
  };
}
