import type { Collection, Filter } from "mongodb";
import { waitingStates } from "../shared/message-state.ts";
import { allNamed, type MessageName } from "./bucket.ts";
import type { MessageDocument } from "./message-documents.ts";
import { guarded } from "./store-fault.ts";

export interface Cancellation {
  readonly at: Date;
  readonly expireAt: Date;
}

/** That a job wants messages back. */
export interface Withdrawal {
  readonly at: Date;
  readonly jobId: string;
  /** A message that is due only after this is in nobody's hands. */
  readonly dueAfter: Date;
}

/** What it takes to withdraw messages, however many. */
export function createWithdrawals(messages: Collection<MessageDocument>) {
  const waiting = { state: { $in: [...waitingStates] } };

  return {
    /**
     * Takes messages out of the queue that nobody can have in hand, and asks the owners of the others' partitions to withdraw
     * them. What somebody has asked for before stays as it is.
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
     * Writes that messages are withdrawn.
     * @param condition which of them may be, besides
     * @returns how many were written
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
