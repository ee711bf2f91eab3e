import { type Db, MongoBulkWriteError } from "mongodb";
import type { MessageFilter } from "../message/search/filter.ts";
import { type Fault, fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { bucketOfKey } from "../shared/ids.ts";
import { type MessageName, NO_BUCKET, named, readByIds } from "./bucket.ts";
import type { ContentStore, NewContent } from "./content-store.ts";
import { createEngagements } from "./engagements.ts";
import { insertMissing } from "./insert-missing.ts";
import { entryOfMessage } from "./journal/journal-documents.ts";
import type { Announcement, JournalWriter } from "./journal/journal-writer.ts";
import type { MessageDocument } from "./message-documents.ts";
import { messageFault } from "./message-fault.ts";
import type { OrderedInsert } from "./ordered-write.ts";
import { everybodys, type Owner } from "./owner.ts";
import { createFindMessages, type ListedMessages, type MessagePage } from "./search/find-messages.ts";
import type { SearchStore } from "./search/search-store.ts";
import { DUPLICATE_KEY, guarded, isDuplicateKey, storeFault } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";
import type { WriteInOrder } from "./write-in-order.ts";

/** `taken`: another message has its idempotency key or its id. */
export type InsertOutcome = "stored" | "taken";

/** A message's outcome that became known after its delivery. */
export interface LateOutcome {
  readonly at: Date;
  /** Time from which on the record may be removed. */
  readonly expireAt: Date;
  /** Category of a refusal. */
  readonly category?: string | undefined;
}

/** The part `end` of a message is found by `expireAt` for this long, until it is certainly counted. */
const END_FOUND_MS = 24 * 3_600_000;

/** A message with its body. */
export interface MessageWithBody {
  readonly content: NewContent;
  readonly message: MessageDocument;
}

interface JournaledInsert<T> {
  /** Adds the messages to the search index before they are stored. Missing: a separate write does. */
  readonly makeFindable?: () => Promise<void>;
  insert(documents: readonly MessageDocument[]): Promise<T>;
  isStored(outcome: T, id: string): boolean;
}

export interface MessageStoreParts {
  readonly search: Pick<SearchStore, "addMissing" | "toInsert">;
  readonly journal: Pick<JournalWriter, "announce">;
  readonly contents: Pick<ContentStore, "toInsert">;
  readonly inOrder: WriteInOrder;
}

export function createMessageStore(db: Db, { search, journal, contents, inOrder }: MessageStoreParts) {
  const messages = db.collection<MessageDocument>("messages");

  const find = createFindMessages(db);
  const engagements = createEngagements(messages);

  const announce = (documents: readonly MessageDocument[]) =>
    journal.announce(documents.map((message) => ({ entry: entryOfMessage(message) })));

  /** Stores messages after their announcement in the journal, and reports the stored ones to it. */
  async function journaled<T>(
    documents: readonly MessageDocument[],
    announced: Announcement,
    { insert, isStored, makeFindable = () => search.addMissing(documents) }: JournaledInsert<T>,
  ): Promise<T> {
    try {
      await Promise.all([makeFindable(), announced.written]);
      const stored = documents.map((document) => ({
        ...document,
        journal: announced.journalOf(document._id),
      }));
      const inserted = insert(stored).catch((error) => {
        announced.settle("doubt");
        throw error;
      });
      const outcome = await inserted;
      announced.settle((id) => isStored(outcome, id));
      return outcome;
    } finally {
      announced.settle(() => false);
    }
  }

  async function insertEach(documents: readonly MessageDocument[]): Promise<(InsertOutcome | Fault)[]> {
    try {
      await messages.insertMany([...documents], { ordered: false });
      return documents.map(() => "stored");
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError())
        throw storeFault(error);
      const errors = [error.writeErrors].flat();
      if (errors.length === 0) throw storeFault(error);
      const refused = new Map<number, InsertOutcome | Fault>();
      for (const { code, index } of errors) {
        refused.set(index, code === DUPLICATE_KEY ? "taken" : storeFault(error));
      }
      return documents.map((_, index) => refused.get(index) ?? "stored");
    }
  }

  /** Inserts messages in the command that inserts their prerequisites. */
  async function insertBehind(
    before: readonly OrderedInsert[],
    documents: readonly MessageDocument[],
  ): Promise<(InsertOutcome | Fault)[]> {
    const behind = documents.map((document) => ({ collection: messages.collectionName, document }));
    const { refused } = await inOrder.write([...before, ...behind]);
    if (!refused) return documents.map(() => "stored");
    const at = refused.position - before.length;
    if (at < 0) throw storeFault(refused.error);
    return [
      ...documents.slice(0, at).map(() => "stored" as const),
      // Messages after a refused one are now inserted one by one.
      ...(await insertEach(documents.slice(at))),
    ];
  }

  async function insertAll(documents: readonly MessageDocument[]): Promise<InsertOutcome> {
    try {
      await inTransaction(db.client, (session) => messages.insertMany([...documents], { session }));
      return "stored";
    } catch (error) {
      if (isDuplicateKey(error)) return "taken";
      throw storeFault(error);
    }
  }

  /** Functions for both scopes: the messages of one account, or of all. */
  const within = (owner: Owner) => ({
    /** @throws Fault message.unreadable */
    async findById(id: string): Promise<MessageDocument | null> {
      const found = await readByIds(messages, [id], { faultOf: messageFault, owner: owner });
      const [document] = found.documents;
      if (document) return document;
      const [unreadable] = found.unreadable;
      if (!unreadable) return null;
      throw fault("message.unreadable", {
        public: say("stored_message_cannot_read", { id, detail: unreadable.reason }),
      });
    },

    /** The existing readable messages among these, unordered. */
    async findByIds(ids: readonly string[]): Promise<MessageDocument[]> {
      return (await readByIds(messages, ids, { faultOf: messageFault, owner: owner })).documents;
    },

    /** Callers choose trace ids: several accounts may have the same. */
    findByTraceId: (traceId: string) => guarded(messages.findOne({ traceId, ...owner })),
  });

  return {
    forAccount: (accountId: string) => ({
      ...within({ accountId }),
      ...engagements(accountId),

      findByIdempotencyKey(operation: string, idempotencyKey: string) {
        // An early release's message has no bucket until it is migrated.
        const bucket = { $in: [bucketOfKey(accountId, operation, idempotencyKey), NO_BUCKET] };
        return guarded(messages.findOne({ bucket, accountId, operation, idempotencyKey }));
      },

      /** Removes an expired idempotency key. */
      async forgetIdempotencyKey(message: MessageName, idempotencyKey: string): Promise<void> {
        await guarded(
          messages.updateOne(
            { ...named(message), accountId, idempotencyKey },
            { $unset: { idempotencyKey: "", fingerprint: "" } },
          ),
        );
      },

      /** One of the messages of a submission, by the prefix of the first message's id. */
      findSubmitted(firstPrefix: string): Promise<MessageDocument | null> {
        return guarded(messages.findOne({ _id: { $gte: firstPrefix, $lt: `${firstPrefix}~` }, accountId }));
      },

      /** All messages of one submission, in the order of creation. */
      async listByTraceId(traceId: string): Promise<MessageDocument[]> {
        // Without a sort: it would choose another index and read all messages of the account.
        const found = await guarded(messages.find({ traceId, accountId }).toArray());
        return found.sort((a, b) => (a._id < b._id ? -1 : 1));
      },

      /**
       * Newest first. States of most messages are not in the search index; these are found by reading the next 3,000
       * messages: a page may be short or empty without being the last.
       */
      list: (page: MessagePage): Promise<ListedMessages> => find.list(accountId, page),

      /**
       * All messages that match a filter, newest first, in batches on demand. A batch is empty after a long
       * unsuccessful search. Messages that arrive in the meantime may be left out.
       * @throws Fault store.unavailable
       */
      all: (filter: MessageFilter): AsyncGenerator<readonly MessageDocument[], void> =>
        find.all(accountId, filter),

      /** Number of messages accepted between `from` and `until` of the filter, at most `limit`. */
      countSpan: (filter: Pick<MessageFilter, "from" | "until">, limit: number): Promise<number> =>
        find.countSpan(accountId, filter, limit),

      /** Writes an outcome that became known after the delivery; false: the message is in another state now. */
      async applyLateOutcome(
        message: MessageName,
        to: "bounced" | "complained",
        { at, expireAt, category }: LateOutcome,
      ): Promise<boolean> {
        const filter = { ...named(message), accountId, state: "delivered" as const };
        const set = { state: to, updatedAt: at, ...(category !== undefined && { category }) };
        const isOld = { "end.at": { $not: { $gt: new Date(at.getTime() - END_FOUND_MS) } } };
        const ofOld = messages.updateOne({ ...filter, ...isOld }, { $set: { ...set, expireAt } });
        if ((await guarded(ofOld)).matchedCount === 1) return true;
        return (await guarded(messages.updateOne(filter, { $set: set }))).matchedCount === 1;
      },
    }),

    acrossAccounts: {
      ...within(everybodys),

      /**
       * Starts the announcement of future messages in the journal, in parallel with preceding work. Later pass the
       * messages to one of the functions below, or settle the announcement.
       */
      announce,

      /**
       * Stores each message atomically. The outcomes are in order, with a fault for a refused message.
       * @param announced missing: they are announced first
       * @throws Fault store.unavailable if no message is known to be stored
       */
      insertMany(
        documents: readonly MessageDocument[],
        announced = announce(documents),
      ): Promise<(InsertOutcome | Fault)[]> {
        return journaled(documents, announced, {
          insert: insertEach,
          isStored: storedAmong(documents),
        });
      },

      /**
       * As `insertMany`, with bodies and search terms, all in one command and in this order: no message exists
       * without them.
       * @returns undefined: nothing was done, because the server lacks the command, or a body is more than one
       * document
       * @throws Fault store.unavailable if no message is known to be stored
       */
      async insertWithBodies(
        submissions: readonly MessageWithBody[],
        announced: Announcement,
      ): Promise<(InsertOutcome | Fault)[] | undefined> {
        const bodies = await contents.toInsert(submissions.map(({ content }) => content));
        if (!bodies || !(await inOrder.isSpoken())) return undefined;
        const documents = submissions.map(({ message }) => message);
        const before = [...bodies, ...search.toInsert(documents)];
        return journaled(documents, announced, {
          makeFindable: async () => undefined,
          insert: (stored) => insertBehind(before, stored),
          isStored: storedAmong(documents),
        });
      },

      /** Stores the missing ones. */
      async insertMissing(documents: readonly MessageDocument[]): Promise<void> {
        await journaled(documents, announce(documents), {
          insert: (stored) => insertMissing(messages, stored),
          isStored: (present, id) => !present.has(id),
        });
      },

      /**
       * Stores all of the messages or none.
       * @param announced missing: they are announced first
       * @throws Fault store.unavailable if they are not known to be stored
       */
      insertTogether(
        documents: readonly MessageDocument[],
        announced = announce(documents),
      ): Promise<InsertOutcome> {
        return journaled(documents, announced, {
          insert: insertAll,
          isStored: (outcome) => outcome === "stored",
        });
      },
    },
  };
}

/** Whether a message is stored, from outcomes in the order of the documents. */
function storedAmong(documents: readonly MessageDocument[]) {
  const positions = new Map(documents.map(({ _id }, position) => [_id, position]));
  return (outcomes: (InsertOutcome | Fault)[], id: string) => outcomes[positions.get(id) ?? -1] === "stored";
}
