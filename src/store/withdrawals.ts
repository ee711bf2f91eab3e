import type { Collection, Filter } from "mongodb";
import { waitingStates } from "../shared/message-state.ts";
import { allNamed, type MessageName } from "./bucket.ts";
import type { MessageDocument } from "./message-documents.ts";
import { guarded } from "./store-fault.ts";

export interface Cancellation {
  readonly at: Date;
  readonly expireAt: Date;
}

/** A job's request to cancel messages. */
export interface Withdrawal {
  readonly at: Date;
  readonly jobId: string;
  /** No worker is processing a message that is due after this time. */
  readonly dueAfter: Date;
}

/** Cancellation of messages, in any number. */
export function createWithdrawals(messages: Collection<MessageDocument>) {
  const waiting = { state: { $in: [...waitingStates] } };

  return {
    /**
     * Removes messages from the queue that no worker can be processing, and asks the partition owners of the others
     * to cancel them. Earlier requests stay unchanged.
     */
    async withdrawMany(
      names: readonly MessageName[],
      { at, jobId, dueAfter }: Withdrawal,
      accountId: string,
    ): Promise<void> {
      if (names.length === 0) return;
      const unasked = { ...allNamed(names), accountId, ...waiting, cancelRequestedAt: { $exists: false } };
      const late = { ...unasked, nextAttemptAt: { $gt: dueAfter }, held: { $exists: false } };
      const asked = { $set: { cancelRequestedAt: at, cancelRequestedBy: jobId } };
      const withdrawn = { ...asked, $unset: { nextAttemptAt: "" as const } };
      await guarded(messages.updateMany(late as Filter<MessageDocument>, withdrawn));
      await guarded(messages.updateMany(unasked, asked));
    },

    /**
     * Marks messages as cancelled.
     * @param condition additional filter
     * @returns the number of written ones
     */
    async cancel(
      names: readonly MessageName[],
      { at, expireAt }: Cancellation,
      condition: Filter<MessageDocument>,
    ): Promise<number> {
      const filter = { ...allNamed(names), ...waiting, cancelRequestedAt: { $exists: true }, ...condition };
      const update = {
        $set: { state: "cancelled" as const, updatedAt: at, expireAt },
        $unset: { nextAttemptAt: "" as const, cancelRequestedAt: "" as const },
      };
      return (await guarded(messages.updateMany(filter, update))).matchedCount;
    },
  };
}
