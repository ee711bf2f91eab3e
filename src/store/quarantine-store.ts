import type { ClientSession, Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import { waitingStates } from "../shared/message-state.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { named } from "./bucket.ts";
import type { MessageDocument, QuarantineDocument } from "./message-documents.ts";
import { everybodys, type Owner } from "./owner.ts";
import { readEach, type UnreadableDocument } from "./read-each.ts";
import { guarded } from "./store-fault.ts";

export interface QuarantinePage {
  readonly afterId: string | undefined;
  readonly limit: number;
}

/** Unreadable waiting messages: removed from the queue, and recorded here with the reason. */
export function createQuarantineStore(db: Db, writes: AuditedWrites) {
  const messages = db.collection<MessageDocument>("messages");
  const quarantine = db.collection<QuarantineDocument>("quarantine");
  const audited = writes.of("quarantined", quarantine);

  /** Functions for both scopes: the records of one account, or of all. */
  const within = (owner: Owner) => {
    /** Removes the record of a message, and writes an entry of the audit log. */
    async function remove(
      { _id: id }: QuarantineDocument,
      audit: Audit,
      session: ClientSession,
    ): Promise<void> {
      const before = await quarantine.findOne({ _id: id, ...owner }, { session });
      if (before) await audited.remove(session, audit, before);
    }

    return {
      /** The earliest accepted first: ids of messages begin with their time. */
      async list({ afterId, limit }: QuarantinePage): Promise<QuarantineDocument[]> {
        const filter = { ...owner, ...(afterId !== undefined && { _id: { $gt: afterId } }) };
        const { documents, unreadable } = await readEach<QuarantineDocument>(
          (options) => quarantine.find(filter, options).sort({ _id: 1 }).limit(limit),
          ({ at }) => (at instanceof Date ? undefined : "at: it is no date"),
        );
        return [...documents, ...unreadable.map(damagedNote)].sort((a, b) => (a._id < b._id ? -1 : 1));
      },

      find: (id: string) => guarded(quarantine.findOne({ _id: id, ...owner })),

      /** Returns a message to the queue, due at `at`. A message that has ended in the meantime stays unchanged. */
      release(entry: QuarantineDocument, at: Date, audit: Audit): Promise<void> {
        const { _id, bucket, cancelRequestedAt } = entry;
        const waits = { ...named({ _id, bucket }), ...owner, expireAt: { $exists: false } };
        return writes.transact(async (session) => {
          const $set = { nextAttemptAt: at, ...(cancelRequestedAt && { cancelRequestedAt }) };
          // No worker has it, so the next reader has no earlier owner to respect.
          const $unset = { quarantinedAt: "", epoch: "", held: "" } as const;
          await messages.updateOne(waits, { $set, $unset }, { session });
          await remove(entry, audit, session);
        });
      },

      /** Gives a message up: it ends as cancelled, and is removed at `expireAt`. */
      drop(entry: QuarantineDocument, at: Date, expireAt: Date, audit: Audit): Promise<void> {
        const { _id, bucket } = entry;
        const waits = { ...named({ _id, bucket }), ...owner, expireAt: { $exists: false } };
        return writes.transact(async (session) => {
          const $set = { state: "cancelled" as const, updatedAt: at, expireAt };
          const $unset = { nextAttemptAt: "", quarantinedAt: "" } as const;
          await messages.updateOne(waits, { $set, $unset }, { session });
          await remove(entry, audit, session);
        });
      },
    };
  };

  return {
    forAccount: (accountId: string) => within({ accountId }),

    acrossAccounts: {
      ...within(everybodys),

      /**
       * Removes a message from the queue: it is no longer due, and no query for due messages or strays finds it.
       * @returns false: it has left the queue in the meantime
       */
      add(entry: QuarantineDocument): Promise<boolean> {
        const { _id, bucket: read, ...fields } = entry;
        const queued = {
          $or: [
            { nextAttemptAt: { $exists: true } },
            { cancelRequestedAt: { $exists: true } },
            { state: { $in: [...waitingStates] }, quarantinedAt: { $exists: false } },
          ],
        };
        const update = {
          $set: { quarantinedAt: entry.at },
          $unset: { nextAttemptAt: "", cancelRequestedAt: "", held: "" },
        } as const;
        return writes.transact(async (session) => {
          const take = async (bucket: number | undefined) => {
            const filter = { ...named({ _id, bucket }), ...queued };
            return (await messages.updateOne(filter, update, { session })).matchedCount > 0;
          };
          let bucket = read;
          if (!(await take(bucket))) {
            // The bucket may have been damaged since the read.
            const stored = await messages.findOne({ _id }, { projection: { bucket: 1 }, session });
            bucket = typeof stored?.bucket === "number" ? stored.bucket : undefined;
            if (!stored || bucket === read || !(await take(bucket))) return false;
          }
          const note = { ...fields, ...(bucket !== undefined && { bucket }) };
          await quarantine.updateOne({ _id }, { $set: note }, { upsert: true, session });
          return true;
        });
      },

      /**
       * Marks a message that an earlier release has quarantined only in this collection.
       * @returns false: there is no record of it
       */
      async markNoted(id: string): Promise<boolean> {
        const note = await guarded(quarantine.findOne({ _id: id }, { projection: { at: 1, bucket: 1 } }));
        if (!note) return false;
        const { bucket, at } = note;
        const unmarked = { ...named({ _id: id, bucket }), quarantinedAt: { $exists: false } };
        await guarded(messages.updateOne(unmarked, { $set: { quarantinedAt: at } }));
        return true;
      },

      count: () => guarded(quarantine.countDocuments({})),
    },
  };
}

/** Placeholder for a damaged record. It keeps its position. */
function damagedNote({ id, reason, fields }: UnreadableDocument): QuarantineDocument {
  const accountId = fields.get("accountId");
  const at = fields.get("at");
  return {
    _id: id,
    reason: `unknown, because this record is damaged, too: ${reason}`,
    at: at instanceof Date ? at : new Date(0),
    ...(typeof accountId === "string" && { accountId }),
  };
}
