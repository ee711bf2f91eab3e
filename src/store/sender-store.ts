import type { Db } from "mongodb";
import type { SenderDocument } from "./documents.ts";
import { afterPage, type ListPage } from "./list-page.ts";
import { guarded, isDuplicateKey, storeFault } from "./store-fault.ts";

export function createSenderStore(db: Db) {
  const senders = db.collection<SenderDocument>("senders");

  return {
    /** Adds a sender; the one that is there already wins. */
    async add(sender: SenderDocument): Promise<SenderDocument> {
      try {
        await senders.insertOne(sender);
        return sender;
      } catch (error) {
        if (!isDuplicateKey(error)) throw storeFault(error);
        const { accountId, value } = sender;
        return (await guarded(senders.findOne({ accountId, value }))) ?? sender;
      }
    },

    /** By value. */
    list: (page: ListPage) =>
      guarded(senders.find(afterPage(page, "value")).sort({ value: 1 }).limit(page.limit).toArray()),

    /** Whether one of these values (an address key, its domain) is a sender of the account. */
    async hasAny(accountId: string, values: readonly string[]): Promise<boolean> {
      return (await guarded(senders.findOne({ accountId, value: { $in: [...values] } }))) !== null;
    },
  };
}
