import type { Collection, Filter } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { allNamed, type MessageName, named } from "./bucket.ts";
import type { MessageDocument } from "./message-documents.ts";
import { guarded } from "./store-fault.ts";

/** Time of a retry. */
export interface Retry {
  readonly at: Date;
  /** No worker is processing a message that is due after this time. */
  readonly dueAfter: Date;
}

/** Retries of deferred messages before their time, in any number. */
export function createRetries(messages: Collection<MessageDocument>, writes: AuditedWrites) {
  /** A cancel request takes precedence, and a hidden message may be in delivery. */
  const resting = ({ dueAfter }: Retry): Filter<MessageDocument> => ({
    state: "deferred",
    nextAttemptAt: { $gt: dueAfter },
    held: { $exists: false },
    cancelRequestedAt: { $exists: false },
  });

  return {
    /**
     * Makes a deferred message due immediately, and writes an entry of the audit log.
     * @returns false: it is not deferred, or is already due
     */
    retryNow: (message: MessageName, accountId: string, retry: Retry, audit: Audit): Promise<boolean> =>
      writes.transact(async (session) => {
        const condition = { ...named(message), accountId, ...resting(retry) };
        const projection = { subject: 1, nextAttemptAt: 1 };
        const found = await messages.findOne(condition, { session, projection });
        if (!found) return false;
        await messages.updateOne(condition, { $set: { nextAttemptAt: retry.at } }, { session });
        const { _id: id, subject: name, nextAttemptAt } = found;
        const target = { kind: "message", id, name } as const;
        const before = { state: "deferred", ...(nextAttemptAt && { nextAttemptAt }) } as const;
        const after = { state: "deferred", nextAttemptAt: retry.at } as const;
        await writes.note(session, accountId, audit, { target, before, after });
        return true;
      }),

    /**
     * As `retryNow`, for many messages that the job has not retried before. Each records the job, and the audit log
     * contains the job.
     */
    async retryMany(
      names: readonly MessageName[],
      accountId: string,
      { jobId, ...retry }: Retry & { readonly jobId: string },
    ): Promise<void> {
      if (names.length === 0) return;
      const filter = { ...allNamed(names), accountId, ...resting(retry), retriedBy: { $ne: jobId } };
      const update = { $set: { nextAttemptAt: retry.at, retriedBy: jobId } };
      await guarded(messages.updateMany(filter as Filter<MessageDocument>, update));
    },
  };
}
