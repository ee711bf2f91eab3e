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
import { createFindMessages, type ListedMessages, type MessagePage } from "./search/find-messages.ts";
import type { SearchStore } from "./search/search-store.ts";
import { DUPLICATE_KEY, guarded, isDuplicateKey, storeFault } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";
import { everybodys, type Whose } from "./whose.ts";
import type { WriteInOrder } from "./write-in-order.ts";

/** `taken`: another message has its idempotency key, or its very id. */
export type InsertOutcome = "stored" | "taken";

/** What became known of a message after it was delivered. */
export interface LateOutcome {
  readonly at: Date;
  /** When the record may go. */
  readonly expireAt: Date;
  /** What a refusal is about. */
  readonly category?: string | undefined;
}

/** A message with the body that it refers to. */
export interface MessageWithBody {
  readonly content: NewContent;
  readonly message: MessageDocument;
}

interface JournaledInsert<T> {
  /** Has messages found that are about to be stored; missing: by a write of its own. */
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

  /** Stores messages once the journal tells of them, and tells it which are stored. */
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

  /** Inserts messages by the command that inserts what belongs before them. */
  async function insertBehind(
    before: readonly OrderedInsert[],
    documents: readonly MessageDocument[],
  ): Promise<(InsertOutcome | Fault)[]> {
    const behind = documents.map((document) => ({ collection: messages.collectionName, document }));
    const { refused } = await inOrder.write([...before, ...behind]);
    if (!refused) return documents.map(() => "stored");
    const at = refused.place - before.length;
    if (at < 0) throw storeFault(refused.error);
    return [
      ...documents.slice(0, at).map(() => "stored" as const),
      // Those that stand behind one that was refused: each for itself now.
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

  /** What both doors have: among the messages of one account, or of all. */
  const within = (whose: Whose) => ({
    /** @throws Fault message.unreadable */
    async findById(id: string): Promise<MessageDocument | null> {
      const found = await readByIds(messages, [id], { faultOf: messageFault, whose });
      const [document] = found.documents;
      if (document) return document;
      const [unreadable] = found.unreadable;
      if (!unreadable) return null;
      throw fault("message.unreadable", {
        public: say("stored_message_cannot_read", { id, detail: unreadable.reason }),
      });
    },

    /** Those of the messages that are there and can be read, in any order. */
    async findByIds(ids: readonly string[]): Promise<MessageDocument[]> {
      return (await readByIds(messages, ids, { faultOf: messageFault, whose })).documents;
    },

    /** A trace id is its caller's to choose: several accounts may have the same. */
    findByTraceId: (traceId: string) => guarded(messages.findOne({ traceId, ...whose })),
  });

  return {
    forAccount: (accountId: string) => ({
      ...within({ accountId }),
      ...engagements(accountId),

      findByIdempotencyKey(operation: string, idempotencyKey: string) {
        // An early release's has no bucket until it is migrated.
        const bucket = { $in: [bucketOfKey(accountId, operation, idempotencyKey), NO_BUCKET] };
        return guarded(messages.findOne({ bucket, accountId, operation, idempotencyKey }));
      },

      /** Lets an idempotency key go that is remembered no longer. */
      async forgetIdempotencyKey(message: MessageName, idempotencyKey: string): Promise<void> {
        await guarded(
          messages.updateOne(
            { ...named(message), accountId, idempotencyKey },
            { $unset: { idempotencyKey: "", fingerprint: "" } },
          ),
        );
      },

      /** One of the messages of a submission, by what the id of its first one begins with. */
      findSubmitted(firstPrefix: string): Promise<MessageDocument | null> {
        return guarded(messages.findOne({ _id: { $gte: firstPrefix, $lt: `${firstPrefix}~` }, accountId }));
      },

      /** All messages of one submission, in the order in which they were made. */
      async listByTraceId(traceId: string): Promise<MessageDocument[]> {
        // Without an order: the index of one would be taken, and all messages of the account read.
        const found = await guarded(messages.find({ traceId, accountId }).toArray());
        return found.sort((a, b) => (a._id < b._id ? -1 : 1));
      },

      /**
       * Newest first. What is not in the index of terms (states in which most messages are) is looked for among the next
       * 3,000 messages: a page may be short, or empty, and not the last.
       */
      list: (page: MessagePage): Promise<ListedMessages> => find.list(accountId, page),

      /**
       * All that meet a filter, newest first, some at a time and as they are asked for; also none, where a while was
       * searched in vain. What comes meanwhile may be left out.
       * @throws Fault store.unavailable
       */
      all: (filter: MessageFilter): AsyncGenerator<readonly MessageDocument[], void> =>
        find.all(accountId, filter),

      /** How many were accepted between `from` and `until` of the filter; `limit` where there are more. */
      countSpan: (filter: Pick<MessageFilter, "from" | "until">, limit: number): Promise<number> =>
        find.countSpan(accountId, filter, limit),

      /**
       * Writes what became known of a message after it was delivered; false: it is in another state by now.
       */
      async applyLateOutcome(
        message: MessageName,
        to: "bounced" | "complained",
        { at, expireAt, category }: LateOutcome,
      ): Promise<boolean> {
        const filter = { ...named(message), accountId, state: "delivered" as const };
        const set = { state: to, updatedAt: at, expireAt, ...(category !== undefined && { category }) };
        const result = await guarded(messages.updateOne(filter, { $set: set }));
        return result.matchedCount === 1;
      },
    }),

    acrossAccounts: {
      ...within(everybodys),

      /**
       * Begins to tell the journal of messages that are about to be stored, in parallel with whatever else comes before them:
       * they are given to one of the functions below then, or the announcement is settled.
       */
      announce,

      /**
       * Stores each of the messages or none of it; the outcomes are in their order, a fault for one that is refused.
       * @param announced missing: they are announced first
       * @throws Fault store.unavailable when it is not known of any that it is stored
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
       * As `insertMany`, with bodies and what searches find the messages by, all by one command and in this order: no message is ever
       * without them.
       * @returns undefined: nothing was done, for the server has no such command, or a body is more than one document
       * @throws Fault store.unavailable when it is not known of any that it is stored
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

      /** Stores those that are not there yet. */
      async insertMissing(documents: readonly MessageDocument[]): Promise<void> {
        await journaled(documents, announce(documents), {
          insert: (stored) => insertMissing(messages, stored),
          isStored: (present, id) => !present.has(id),
        });
      },

      /**
       * Stores all of the messages or none.
       * @param announced missing: they are announced first
       * @throws Fault store.unavailable when it is not known that they are stored
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

/** Whether a message is stored, by the outcomes that stand in the order of the documents. */
function storedAmong(documents: readonly MessageDocument[]) {
  const positions = new Map(documents.map(({ _id }, position) => [_id, position]));
  return (outcomes: (InsertOutcome | Fault)[], id: string) => outcomes[positions.get(id) ?? -1] === "stored";
}
