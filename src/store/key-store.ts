import type { Db } from "mongodb";
import type { KeyDocument } from "./documents.ts";
import { afterPage, type ListPage } from "./list-page.ts";
import { guarded } from "./store-fault.ts";

export type KeyStore = ReturnType<typeof createKeyStore>;

export function createKeyStore(db: Db) {
  const keys = db.collection<KeyDocument>("apiKeys");

  return {
    insert: (key: KeyDocument) => guarded(keys.insertOne(key)).then(() => undefined),
    findByHash: (hash: string) => guarded(keys.findOne({ hash })),

    /** Newest last, the revoked ones too. */
    list: (page: ListPage) =>
      guarded(keys.find(afterPage(page, "_id")).sort({ _id: 1 }).limit(page.limit).toArray()),

    /** By id or by prefix. A key that is revoked already stays as it is. */
    async revoke(accountId: string, idOrPrefix: string, now: Date): Promise<KeyDocument | null> {
      const filter = { accountId, $or: [{ _id: idOrPrefix }, { prefix: idOrPrefix }] };
      const key = await guarded(keys.findOne(filter));
      if (!key || key.revokedAt) return key;
      return guarded(
        keys.findOneAndUpdate({ _id: key._id }, { $set: { revokedAt: now } }, { returnDocument: "after" }),
      );
    },

    async markUsed(used: ReadonlyMap<string, Date>): Promise<void> {
      const operations = [...used].map(([id, at]) => ({
        updateOne: { filter: { _id: id }, update: { $max: { lastUsedAt: at } } },
      }));
      if (operations.length > 0) await guarded(keys.bulkWrite(operations, { ordered: false }));
    },
  };
}
