import { randomUUID } from "node:crypto";
import type { Db } from "mongodb";
import type { SuppressionDocument } from "./documents.ts";
import { guarded } from "./store-fault.ts";

export function createSuppressionStore(db: Db) {
  const suppressions = db.collection<SuppressionDocument>("suppressions");

  return {
    /** Adds an entry, or brings the one of its address and policy up to date; since when it is there stays. */
    async add(document: Omit<SuppressionDocument, "_id">): Promise<void> {
      const { accountId, addressKey, policy, createdAt, ...fields } = document;
      await guarded(
        suppressions.updateOne(
          { accountId, addressKey, policy: policy ?? { $exists: false } },
          { $set: fields, $setOnInsert: { _id: `sup_${randomUUID()}`, createdAt } },
          { upsert: true },
        ),
      );
    },
  };
}
