import type { Db } from "mongodb";
import type { KeyDocument } from "./documents.ts";
import { afterPage, type ListPage } from "./list-page.ts";
import { guarded } from "./store-fault.ts";
import type { OfAccount } from "./whose.ts";

export function createKeyStore(db: Db) {
  const keys = db.collection<KeyDocument>("apiKeys");

  return {
    forAccount: (accountId: string) => ({
      /** @returns the key as it is stored */
      async insert(key: OfAccount<KeyDocument>): Promise<KeyDocument> {
        const document = { ...key, accountId };
        await guarded(keys.insertOne(document));
        return document;
      },

      /** Newest last, the revoked ones too. */
      list: (page: ListPage) =>
        guarded(
          keys
            .find(afterPage(accountId, page, "_id"))
            .sort({ _id: 1 })
            .limit(page.limit)
            .toArray(),
        ),

      /** By id or by prefix. A key that is revoked already stays as it is. */
      async revoke(idOrPrefix: string, now: Date): Promise<KeyDocument | null> {
        const filter = { accountId, $or: [{ _id: idOrPrefix }, { prefix: idOrPrefix }] };
        const key = await guarded(keys.findOne(filter));
        if (!key || key.revokedAt) return key;
        const update = { $set: { revokedAt: now } };
        return guarded(
          keys.findOneAndUpdate({ _id: key._id, accountId }, update, { returnDocument: "after" }),
        );
      },
    }),

    acrossAccounts: {
      /** Whose request it is, is what its key says. */
      findByHash: (hash: string) => guarded(keys.findOne({ hash })),

      async markUsed(used: ReadonlyMap<string, Date>): Promise<void> {
        const operations = [...used].map(([id, at]) => ({
          updateOne: { filter: { _id: id }, update: { $max: { lastUsedAt: at } } },
        }));
        if (operations.length > 0) await guarded(keys.bulkWrite(operations, { ordered: false }));
      },
    },
  };
}
