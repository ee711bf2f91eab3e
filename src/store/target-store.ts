import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import { fault } from "../shared/fault.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { checkRevision } from "./content-revision.ts";
import { type ListPage, readPage } from "./list-page.ts";
import { readEach } from "./read-each.ts";
import type { CheckUse, ResourceUsers } from "./resource-users.ts";
import { openTarget, type StoredTarget, sealTarget } from "./sealing/sealed-target.ts";
import type { Sealing } from "./sealing/sealing.ts";
import { guarded } from "./store-fault.ts";
import { TARGETS, type TargetDocument, targetCollections } from "./target-documents.ts";
import { wakeBy } from "./webhook-outbox.ts";

const RETRY_AFTER_SECONDS = 60;
/** Maximum number of alert targets of an account. */
const MAX_TARGETS = 100;

/** A target before its creation. */
type NewTarget = Omit<TargetDocument, "accountId">;

export const targetRevision = ({ revision }: Pick<TargetDocument, "revision">) => String(revision);

export function createTargetStore(
  db: Db,
  sealing: Sealing,
  writes: AuditedWrites,
  users: Pick<ResourceUsers, "exclude" | "ofTarget">,
) {
  const targets = db.collection<StoredTarget>(TARGETS);
  const { queues } = targetCollections(db);
  const open = (stored: StoredTarget) => openTarget(sealing, stored);
  const { note } = writes.entriesOf("alert_target");

  return {
    forAccount: (accountId: string) => ({
      /** @throws Fault alert_target.too_many, alert_target.exists */
      add: (target: NewTarget, audit: Audit): Promise<TargetDocument> =>
        writes.transact(async (session) => {
          await users.exclude(session, accountId);
          if (await targets.findOne({ accountId, name: target.name }, { session }))
            throw fault("alert_target.exists");
          const options = { session, limit: MAX_TARGETS };
          if ((await targets.countDocuments({ accountId }, options)) >= MAX_TARGETS)
            throw fault("alert_target.too_many");
          const after = { ...target, accountId };
          await targets.insertOne(sealTarget(sealing, after), { session });
          await note(session, audit, undefined, after);
          return after;
        }),

      async find(id: string): Promise<TargetDocument | null> {
        const stored = await guarded(targets.findOne({ _id: id, accountId }));
        return stored && open(stored);
      },

      /** The existing ones of these. */
      async findByIds(ids: readonly string[]): Promise<TargetDocument[]> {
        const filter = { _id: { $in: [...ids] }, accountId };
        return (await guarded(targets.find(filter).toArray())).map(open);
      },

      async list(page: ListPage): Promise<TargetDocument[]> {
        return (await readPage(targets, { accountId }, page, "_id")).map(open);
      },

      /**
       * @param make returns the new target; the same object: no change. If it throws, nothing is changed.
       * @returns null: there is none
       * @throws Fault resource.stale, alert_target.exists
       */
      change: (
        id: string,
        make: (former: TargetDocument) => TargetDocument,
        audit: Audit,
        ifRevision?: string,
      ): Promise<TargetDocument | null> =>
        writes.transact(async (session) => {
          const filter = { _id: id, accountId };
          const stored = await targets.findOne(filter, { session });
          if (!stored) return null;
          const before = open(stored);
          checkRevision(ifRevision, targetRevision(before));
          const wanted = make(before);
          if (wanted === before) return before;
          const others = { accountId, name: wanted.name, _id: { $ne: id } };
          if (wanted.name !== before.name && (await targets.findOne(others, { session })))
            throw fault("alert_target.exists");
          const after = { ...wanted, revision: before.revision + 1, updatedAt: audit.now() };
          await targets.replaceOne(filter, sealTarget(sealing, after), { session });
          await note(session, audit, before, after);
          return after;
        }),

      /**
       * Removes a target. Its waiting deliveries are dropped by the worker that finds none.
       * @returns false: there is none
       * @throws Fault resource.stale, and every error of `check`
       */
      remove: (id: string, audit: Audit, check: CheckUse, ifRevision?: string): Promise<boolean> =>
        writes.transact(async (session) => {
          await users.exclude(session, accountId);
          const stored = await targets.findOneAndDelete({ _id: id, accountId }, { session });
          if (!stored) return false;
          checkRevision(ifRevision, targetRevision(stored));
          const use = await users.ofTarget(session, accountId, id);
          check(use);
          await queues.updateOne({ _id: id, accountId }, wakeBy(audit.now()), { session });
          await note(session, audit, open(stored), undefined, { use: use.count > 0 ? use : undefined });
          return true;
        }),
    }),

    acrossAccounts: {
      /**
       * The existing ones.
       * @throws Fault store.unavailable if one of them is unreadable or cannot be decrypted: it must not be confused
       * with a removed one
       */
      async findByIds(ids: readonly string[]): Promise<TargetDocument[]> {
        const { documents, unreadable } = await readEach<StoredTarget>((options) =>
          targets.find({ _id: { $in: [...ids] } }, options),
        );
        const [damaged] = unreadable;
        if (!damaged) return documents.map(open);
        const internal = `the alert target ${damaged.id} cannot be read: ${damaged.reason}`;
        throw fault("store.unavailable", { internal, retryAfterSeconds: RETRY_AFTER_SECONDS });
      },
    },
  };
}
