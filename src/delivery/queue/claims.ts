import type { Partitions } from "../../leases/partitions.ts";
import type { Clock } from "../../shared/clock.ts";
import { createNaturalBatch } from "../../shared/natural-batch.ts";
import type { FencedAttempt } from "../../store/handover.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { AcrossAccounts } from "../../store/store.ts";

export interface Claims {
  /**
   * True if an earlier owner of the partition may still be delivering the message.
   * @param skewMs maximum difference between this clock and the clock that dated the message
   */
  mayBeElsewhere(message: MessageDocument, skewMs?: number): boolean;
  /**
   * Claims a message from earlier owners, just before its attempt. Messages that no earlier owner can have cost no write.
   * @returns false if it has ended, was deferred, or another owner has it
   * @throws Fault store.unavailable
   */
  claim(message: MessageDocument, epoch: number): Promise<boolean>;
}

export interface ClaimsOptions {
  readonly queue: Pick<AcrossAccounts["queue"], "claim">;
  readonly partitions: Pick<Partitions, "lease">;
  readonly clock: Clock;
}

/** Maximum difference between the clocks of core and workers. */
const CLOCK_SKEW_MS = 10_000;
const MAX_BATCH = 200;

/**
 * Claims are made when an attempt begins, not when its message is read: until then an earlier owner that was cut off from the
 * store can still record the messages that it has sent, so that they are not sent again. Concurrent claims share a round trip.
 */
export function createClaims({ queue, partitions, clock }: ClaimsOptions): Claims {
  const batch = createNaturalBatch<FencedAttempt, boolean>({
    run: async (attempts) => {
      const claimed = await queue.claim(attempts, clock.now());
      return attempts.map(({ _id }) => ({ ok: true, value: claimed.has(_id) }));
    },
    maxItems: MAX_BATCH,
    maxSize: Number.POSITIVE_INFINITY,
    sizeOf: () => 1,
    maxConcurrent: 2,
  });

  function mayBeElsewhere({ partition, epoch, updatedAt }: MessageDocument, skewMs = CLOCK_SKEW_MS): boolean {
    const lease = partitions.lease(partition);
    if (!lease || epoch === lease.epoch) return false;
    // Written after this worker got the partition: no earlier owner can have seen it.
    return updatedAt.getTime() <= lease.since.getTime() + skewMs;
  }

  return {
    mayBeElsewhere,
    claim: async (message, epoch) => {
      if (!mayBeElsewhere(message)) return true;
      const { _id, bucket, attempts } = message;
      return batch.submit({ _id, bucket, attempts, epoch });
    },
  };
}
