import type { Db } from "mongodb";
import type { KeyDocument } from "./documents.ts";
import { afterPage, type ListPage } from "./list-page.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";
import type { OfAccount } from "./whose.ts";

export function createKeyStore(db: Db) {
  const keys = db.collection<KeyDocument>("apiKeys");

  /** By id or by prefix. */
  const named = (accountId: string, idOrPrefix: string) => ({
    accountId,
    $or: [{ _id: idOrPrefix }, { prefix: idOrPrefix }],
  });

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
        const key = await guarded(keys.findOne(named(accountId, idOrPrefix)));
        if (!key || key.revokedAt) return key;
        const update = { $set: { revokedAt: now } };
        return guarded(
          keys.findOneAndUpdate({ _id: key._id, accountId }, update, { returnDocument: "after" }),
        );
      },

      /** Gives a key another name; null: there is none of this id or prefix. */
      async rename(idOrPrefix: string, name: string): Promise<KeyDocument | null> {
        const key = await guarded(keys.findOne(named(accountId, idOrPrefix)));
        return (
          key &&
          guarded(
            keys.findOneAndUpdate(
              { _id: key._id, accountId },
              { $set: { name } },
              { returnDocument: "after" },
            ),
          )
        );
      },

      /**
       * Puts a key in the place of another one: both writes, or none.
       * @param make the new key and the end of the former one, from that; what it throws is thrown, and nothing is changed
       * @returns undefined: there is none of this id or prefix
       */
      async supersede(
        idOrPrefix: string,
        make: (former: KeyDocument) => { readonly key: OfAccount<KeyDocument>; readonly expiresAt: Date },
      ): Promise<{ readonly key: KeyDocument; readonly former: KeyDocument } | undefined> {
        const superseding = inTransaction(db.client, async (session) => {
          const found = await keys.findOne(named(accountId, idOrPrefix), { session });
          if (!found) return undefined;
          const { key: next, expiresAt } = make(found);
          const key = { ...next, accountId };
          const ending = { supersededAt: key.createdAt, expiresAt };
          await keys.updateOne({ _id: found._id, accountId }, { $set: ending }, { session });
          await keys.insertOne(key, { session });
          return { key, former: { ...found, ...ending } };
        });
        return guarded(superseding);
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
