import { type Db, type Filter, MongoBulkWriteError } from "mongodb";
import { type Fault, fault } from "../shared/fault.ts";
import { bucketOfKey } from "../shared/ids.ts";
import type { MessageState } from "../shared/message-state.ts";
import { type MessageName, NO_BUCKET, named, readByIds } from "./bucket.ts";
import { insertMissing } from "./insert-missing.ts";
import type { MessageDocument } from "./message-documents.ts";
import { messageFault } from "./message-fault.ts";
import { readEach } from "./read-each.ts";
import { DUPLICATE_KEY, guarded, isDuplicateKey, storeFault } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";
import { everybodys, type Whose } from "./whose.ts";

/** `taken`: another message has its idempotency key, or its very id. */
export type InsertOutcome = "stored" | "taken";

export interface MessagePage {
  readonly state?: MessageState;
  readonly beforeId?: string;
  readonly limit: number;
}

export interface ListedMessages {
  readonly messages: readonly MessageDocument[];
  /** Where the next page begins; undefined: this is the last. */
  readonly nextBeforeId: string | undefined;
}

/** Messages that are looked at for one page of those in one state. */
const SCAN_MAX = 10_000;

export function createMessageStore(db: Db) {
  const messages = db.collection<MessageDocument>("messages");

  /** The id of the message that comes after so many newer ones. */
  async function idAfter(filter: Filter<MessageDocument>, count: number): Promise<string | undefined> {
    const ids = messages.find(filter).project<{ _id: string }>({ _id: 1 });
    const [found] = await guarded(ids.sort({ _id: -1 }).skip(count).limit(1).toArray());
    return found?._id;
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
        public: `The stored message ${id} cannot be read: ${unreadable.reason}.`,
      });
    },

    /** A trace id is its caller's to choose: several accounts may have the same. */
    findByTraceId: (traceId: string) => guarded(messages.findOne({ traceId, ...whose })),
  });

  return {
    forAccount: (accountId: string) => ({
      ...within({ accountId }),

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
      listByTraceId(traceId: string): Promise<MessageDocument[]> {
        return guarded(messages.find({ traceId, accountId }).sort({ _id: 1 }).toArray());
      },

      /**
       * Newest first. There is no index of states, for which every change of one would pay: those of one state are looked
       * for among the next SCAN_MAX messages of the account, so that a page may be short, or empty, and not the last.
       */
      async list({ state, beforeId, limit }: MessagePage): Promise<ListedMessages> {
        const newer = beforeId === undefined ? {} : { $lt: beforeId };
        const all = { accountId, ...(beforeId !== undefined && { _id: newer }) };
        const scanned = state === undefined ? undefined : await idAfter(all, SCAN_MAX);
        const filter: Filter<MessageDocument> = {
          ...all,
          ...(state !== undefined && { state }),
          ...(scanned !== undefined && { _id: { ...newer, $gte: scanned } }),
        };
        const find = (options: object) =>
          messages
            .find(filter, options)
            .sort({ _id: -1 })
            .limit(limit + 1);
        // What cannot be read is left out: `quarantine` has it, if it waits.
        const { documents: found, unreadable } = await readEach<MessageDocument>(find);
        const page = found.slice(0, limit);
        const isMore = found.length + unreadable.length > limit;
        return {
          messages: page,
          nextBeforeId: isMore ? (page.at(-1)?._id ?? unreadable.at(-1)?.id) : scanned,
        };
      },

      /**
       * Writes what became known of a message after it was delivered; false: it is in another state by now.
       * @param expireAt when the record may go
       */
      async applyLateOutcome(
        message: MessageName,
        to: "bounced" | "complained",
        at: Date,
        expireAt: Date,
      ): Promise<boolean> {
        const filter = { ...named(message), accountId, state: "delivered" as const };
        const result = await guarded(
          messages.updateOne(filter, { $set: { state: to, updatedAt: at, expireAt } }),
        );
        return result.matchedCount === 1;
      },
    }),

    acrossAccounts: {
      ...within(everybodys),

      /**
       * Stores each of the messages or none of it; the outcomes are in their order, a fault for one that is refused.
       * @throws Fault store.unavailable when it is not known of any that it is stored
       */
      async insertMany(documents: readonly MessageDocument[]): Promise<(InsertOutcome | Fault)[]> {
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
      },

      /** Stores those that are not there yet. */
      insertMissing: (documents: readonly MessageDocument[]) => insertMissing(messages, documents),

      /**
       * Stores all of the messages or none.
       * @throws Fault store.unavailable when it is not known that they are stored
       */
      async insertTogether(documents: readonly MessageDocument[]): Promise<InsertOutcome> {
        try {
          await inTransaction(db.client, (session) => messages.insertMany([...documents], { session }));
          return "stored";
        } catch (error) {
          if (isDuplicateKey(error)) return "taken";
          throw storeFault(error);
        }
      },

      /** Those of the messages that are there and can be read, in any order. */
      async findByIds(ids: readonly string[]): Promise<MessageDocument[]> {
        return (await readByIds(messages, ids, { faultOf: messageFault })).documents;
      },
    },
  };
}
