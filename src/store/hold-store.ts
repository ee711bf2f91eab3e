import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { type HoldDocument, MAX_HOLDS } from "./hold-document.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";

/** Holds of the whole installation. */
export function createHoldStore(db: Db, writes: AuditedWrites) {
  const holds = db.collection<HoldDocument>("queueHolds");
  const audited = writes.of("queue_hold", holds);

  return {
    /** All holds. An unreadable hold holds everything. */
    async list(): Promise<HoldDocument[]> {
      const { documents, unreadable } = await readEach<HoldDocument>(
        (options) => holds.find({}, options).sort({ _id: 1 }).limit(MAX_HOLDS),
        ({ accountId, destination, policy, heldAt }) => {
          const texts = [accountId, destination, policy].every(
            (one) => one === undefined || typeof one === "string",
          );
          return texts && heldAt instanceof Date ? undefined : "it is not a hold";
        },
      );
      const damaged = unreadable.map(({ id, reason }) => ({
        _id: id,
        reason: `The hold ${id} (account/destination/policy) cannot be read and therefore holds all messages: ${reason}`,
        heldAt: new Date(0),
      }));
      return [...documents, ...damaged];
    },

    /**
     * Adds a hold, and writes an entry of the audit log.
     * @returns the resulting hold; undefined: there are too many
     */
    add: (hold: HoldDocument, audit: Audit): Promise<HoldDocument | undefined> =>
      writes.transact(async (session) => {
        const known = await holds.findOne({ _id: hold._id }, { session });
        if (known) return known;
        const others = await holds
          .find({}, { session, projection: { _id: 1 } })
          .limit(MAX_HOLDS)
          .toArray();
        if (others.length >= MAX_HOLDS) return undefined;
        return audited.insert(session, audit, hold);
      }),

    /** Adds a hold from a setting of the process, without a caller. An existing hold stays unchanged. */
    async addBySetting({ _id, ...fields }: HoldDocument): Promise<void> {
      await guarded(holds.updateOne({ _id }, { $setOnInsert: fields }, { upsert: true }));
    },

    /**
     * Removes a hold, and writes an entry of the audit log.
     * @returns the removed hold; null: there was none
     */
    remove: (id: string, audit: Audit): Promise<HoldDocument | null> => audited.take({ _id: id }, audit),
  };
}
