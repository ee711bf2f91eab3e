import { type Db, type Filter, MongoBulkWriteError } from "mongodb";
import type { Fault } from "../shared/fault.ts";
import type { MessageState } from "../shared/message-state.ts";
import type { MessageDocument } from "./documents.ts";
import { insertMissing } from "./insert-missing.ts";
import { DUPLICATE_KEY, guarded, isDuplicateKey, storeFault } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

/** `taken`: another message has its idempotency key, or its very id. */
export type InsertOutcome = "stored" | "taken";

export interface MessagePage {
  readonly accountId?: string;
  readonly state?: MessageState;
  readonly beforeId?: string;
  readonly limit: number;
}

export type MessageStore = ReturnType<typeof createMessageStore>;

export function createMessageStore(db: Db) {
  const messages = db.collection<MessageDocument>("messages");

  return {
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

    findByIdempotencyKey(accountId: string, operation: string, idempotencyKey: string) {
      return guarded(messages.findOne({ accountId, operation, idempotencyKey }));
    },

    /** Lets an idempotency key go that is remembered no longer. */
    async forgetIdempotencyKey(messageId: string, idempotencyKey: string): Promise<void> {
      await guarded(
        messages.updateOne(
          { _id: messageId, idempotencyKey },
          { $unset: { idempotencyKey: "", fingerprint: "" } },
        ),
      );
    },

    findById(id: string) {
      return guarded(messages.findOne({ _id: id }));
    },

    findByTraceId(traceId: string) {
      return guarded(messages.findOne({ traceId }));
    },

    /** All messages of one submission, in the order in which they were made. */
    listByTraceId(accountId: string, traceId: string): Promise<MessageDocument[]> {
      return guarded(messages.find({ traceId, accountId }).sort({ _id: 1 }).toArray());
    },

    /** Newest first. */
    list({ accountId, state, beforeId, limit }: MessagePage): Promise<MessageDocument[]> {
      const filter: Filter<MessageDocument> = {
        ...(accountId !== undefined && { accountId }),
        ...(state !== undefined && { state }),
        ...(beforeId !== undefined && { _id: { $lt: beforeId } }),
      };
      return guarded(messages.find(filter).sort({ _id: -1 }).limit(limit).toArray());
    },

    /**
     * Writes what became known of a message after it was delivered; false: it is in another state by now.
     * @param expireAt when the record may go
     */
    async applyLateOutcome(
      messageId: string,
      to: "bounced" | "complained",
      at: Date,
      expireAt: Date,
    ): Promise<boolean> {
      const filter = { _id: messageId, state: "delivered" as const };
      const result = await guarded(
        messages.updateOne(filter, { $set: { state: to, updatedAt: at, expireAt } }),
      );
      return result.matchedCount === 1;
    },

    /** Those of the messages that are there, in any order. */
    findByIds(ids: readonly string[]): Promise<MessageDocument[]> {
      return guarded(messages.find({ _id: { $in: [...ids] } }).toArray());
    },
  };
}
