import { randomUUID } from "node:crypto";
import { Binary, type Db } from "mongodb";
import type { OrderedInsert } from "../ordered-write.ts";
import { guarded } from "../store-fault.ts";
import type { OfAccount } from "../whose.ts";
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

  /** Those that were added and are still held by whoever is about to store them. */
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
      /** As `add` of several accounts, for this one's. */
      add: (messages: readonly OfAccount<Searchable>[]): Promise<void> =>
        add(messages.map((message) => ({ ...message, accountId }))),
    }),

    /** What `add` writes, for whoever writes it before the messages. */
    toInsert: (messages: readonly Searchable[]): OrderedInsert[] =>
      batchesOf(messages).map((document) => ({ collection: batches.collectionName, document })),

    /** Adds those that were not added: no message is stored that cannot be found. */
    addMissing: async (messages: readonly Searchable[]): Promise<void> => {
      const missing = messages.filter((message) => !added.has(message));
      if (missing.length > 0) await add(missing);
    },

    /**
     * Takes messages out of the index that are stored no more.
     * @returns how many; undefined: other processes were in the way, and some may be left
     */
    forget: createForgetMessages(db, add),

    acrossAccounts: {
      /**
       * Makes messages known to searches, by what they are and by the state and category that they are about to have: before
       * they are stored, or get those. Doing it again, or never storing them, does no harm.
       * @throws Fault store.unavailable
       */
      add,

      /**
       * One turn of keeping the index small, unless another process has it.
       * @param signal aborted: it ends soon
       */
      compact: createCompactSearch(db),
    },
  };
}
