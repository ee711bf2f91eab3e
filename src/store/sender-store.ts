import type { Db } from "mongodb";
import type { SenderDocument } from "./documents.ts";
import { afterPage, type ListPage } from "./list-page.ts";
import { guarded, isDuplicateKey, storeFault } from "./store-fault.ts";
import type { OfAccount } from "./whose.ts";

export function createSenderStore(db: Db) {
  const senders = db.collection<SenderDocument>("senders");

  return {
    forAccount: (accountId: string) => ({
      /** Adds a sender; the one that is there already wins. */
      async add(sender: OfAccount<SenderDocument>): Promise<SenderDocument> {
        const document = { ...sender, accountId };
        try {
          await senders.insertOne(document);
          return document;
        } catch (error) {
          if (!isDuplicateKey(error)) throw storeFault(error);
          return (await guarded(senders.findOne({ accountId, value: sender.value }))) ?? document;
        }
      },

      /** By value. */
      list: (page: ListPage) =>
        guarded(
          senders
            .find(afterPage(accountId, page, "value"))
            .sort({ value: 1 })
            .limit(page.limit)
            .toArray(),
        ),

      /** Whether one of these values (an address key, its domain) is a sender of the account. */
      async hasAny(values: readonly string[]): Promise<boolean> {
        return (await guarded(senders.findOne({ accountId, value: { $in: [...values] } }))) !== null;
      },
    }),
  };
}
