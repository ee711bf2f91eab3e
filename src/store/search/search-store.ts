import { randomUUID } from "node:crypto";
import { Binary, type Db } from "mongodb";
import type { OrderedInsert } from "../ordered-write.ts";
import type { OfAccount } from "../owner.ts";
import { guarded } from "../store-fault.ts";
import { encodeBatch, type IndexedMessage } from "./batch-code.ts";
import { createCompactSearch } from "./compact.ts";
import { createForgetMessages } from "./forget.ts";
import { isPackable } from "./packed-ids.ts";
import { dayOf, dayPrefix, type SearchBatchDocument, searchCollections } from "./search-documents.ts";
import { type Searchable, termsOf } from "./terms.ts";

export type SearchStore = ReturnType<typeof createSearchStore>;

/** The index of messages: see `search-documents.ts`. */
export function createSearchStore(db: Db) {
  const { batches } = searchCollections(db);

  /** Messages that were added but may not be stored yet. */
  const added = new WeakSet<Searchable>();

  function batchesOf(messages: readonly Searchable[]): SearchBatchDocument[] {
    const byDay = new Map<number, IndexedMessage[]>();
    for (const message of messages) {
      const { _id: id } = message;
      if (!isPackable(id)) continue;
      const entry = { id, terms: termsOf(message) };
      const same = byDay.get(dayOf(id));
      if (same) same.push(entry);
      else byDay.set(dayOf(id), [entry]);
    }
    return [...byDay].map(([day, entries]) => ({
      _id: dayPrefix(day) + randomUUID(),
      messages: entries.length,
      data: new Binary(encodeBatch(entries)),
    }));
  }

  async function add(messages: readonly Searchable[]): Promise<void> {
    const documents = batchesOf(messages);
    if (documents.length > 0) await guarded(batches.insertMany(documents, { ordered: false }));
    for (const message of messages) added.add(message);
  }

  return {
    forAccount: (accountId: string) => ({
      /** As `add` for several accounts, for messages of this account. */
      add: (messages: readonly OfAccount<Searchable>[]): Promise<void> =>
        add(messages.map((message) => ({ ...message, accountId }))),
    }),

    /** The writes of `add`, for a caller that combines them with the messages. */
    toInsert: (messages: readonly Searchable[]): OrderedInsert[] =>
      batchesOf(messages).map((document) => ({ collection: batches.collectionName, document })),

    /** Adds the missing ones, so that every stored message can be found. */
    addMissing: async (messages: readonly Searchable[]): Promise<void> => {
      const missing = messages.filter((message) => !added.has(message));
      if (missing.length > 0) await add(missing);
    },

    /**
     * Removes deleted messages from the index.
     * @returns the number of removed ones; undefined: other processes were active, and some may be left
     */
    forget: createForgetMessages(db, add),

    acrossAccounts: {
      /**
       * Adds messages to the index, with their future state and category, before these are stored. A repetition is
       * harmless, as are entries of messages that are never stored.
       * @throws Fault store.unavailable
       */
      add,

      /**
       * One turn of index compaction, unless another process is running one.
       * @param signal aborted: it ends soon
       */
      compact: createCompactSearch(db),
    },
  };
}
