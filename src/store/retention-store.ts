import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { claimDue } from "./claim-due.ts";
import { checkRevision } from "./content-revision.ts";
import type { RetentionDocument, RetentionTimes } from "./retention-document.ts";
import { createRetentionSteps } from "./retention-steps.ts";
import { retentionRevision } from "./revisions.ts";
import { guarded } from "./store-fault.ts";

/** How long accounts keep what they have, where they want it shorter than the installation. */
export function createRetentionStore(db: Db, writes: AuditedWrites) {
  const retentions = db.collection<RetentionDocument>("retentions");

  return {
    forAccount: (accountId: string) => ({
      /** Null: as the installation. */
      find: (): Promise<RetentionDocument | null> =>
        guarded(retentions.findOne({ _id: accountId, accountId })),

      /** Replaces the times: what is past them goes from then on, soon. @throws Fault resource.stale */
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
      /** Takes the account whose turn it is, until then; null: nobody's is. */
      claim: (now: Date, until: Date) => claimDue(retentions, "dueAt", now, until),

      ...createRetentionSteps(db),

      /** Notes how far bodies were looked at. */
      async noteBodies({ _id }: Pick<RetentionDocument, "_id">, bodiesUntil: string): Promise<void> {
        await guarded(retentions.updateOne({ _id }, { $set: { bodiesUntil } }));
      },

      /** What was past its time then is removed; nothing, if the times were changed meanwhile. */
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
