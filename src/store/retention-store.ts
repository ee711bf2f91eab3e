import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { claimDue } from "./claim-due.ts";
import { checkRevision } from "./content-revision.ts";
import type { RetentionDocument, RetentionTimes } from "./retention-document.ts";
import { createRetentionSteps } from "./retention-steps.ts";
import { retentionRevision } from "./revisions.ts";
import { guarded } from "./store-fault.ts";

/** Retention times of accounts that are shorter than those of the installation. */
export function createRetentionStore(db: Db, writes: AuditedWrites) {
  const retentions = db.collection<RetentionDocument>("retentions");

  return {
    forAccount: (accountId: string) => ({
      /** Null: those of the installation apply. */
      find: (): Promise<RetentionDocument | null> =>
        guarded(retentions.findOne({ _id: accountId, accountId })),

      /** Replaces the times. Expired data is removed soon after. @throws Fault resource.stale */
      change: (
        times: RetentionTimes,
        now: Date,
        audit: Audit,
        ifRevision?: string,
      ): Promise<RetentionDocument> =>
        writes.transact(async (session) => {
          const before = (await retentions.findOne({ _id: accountId, accountId }, { session })) ?? undefined;
          checkRevision(ifRevision, retentionRevision(before ?? {}));
          const { appliedAt, bodiesUntil } = before ?? {};
          const after: RetentionDocument = {
            _id: accountId,
            accountId,
            ...times,
            changedAt: now,
            dueAt: now,
            ...(appliedAt && { appliedAt }),
            ...(bodiesUntil !== undefined && { bodiesUntil }),
          };
          const { _id, ...replacement } = after;
          await retentions.replaceOne({ _id, accountId }, replacement, { upsert: true, session });
          const target = { kind: "retention", id: accountId, name: "" } as const;
          await writes.note(session, accountId, audit, { target, before: before ?? {}, after });
          return after;
        }),
    }),

    acrossAccounts: {
      /** Claims the next account until a time; null: none is due. */
      claim: (now: Date, until: Date) => claimDue(retentions, "dueAt", now, until),

      ...createRetentionSteps(db),

      /** Records the progress of the check of bodies. */
      async noteBodies({ _id }: Pick<RetentionDocument, "_id">, bodiesUntil: string): Promise<void> {
        await guarded(retentions.updateOne({ _id }, { $set: { bodiesUntil } }));
      },

      /**
       * Records that the data expired at this time was removed. Has no effect if the times were changed in the
       * meantime.
       */
      async finish(
        { _id, dueAt }: Pick<RetentionDocument, "_id" | "dueAt">,
        appliedAt: Date,
        next: Date,
      ): Promise<void> {
        await guarded(retentions.updateOne({ _id, dueAt }, { $set: { appliedAt, dueAt: next } }));
      },
    },
  };
}
