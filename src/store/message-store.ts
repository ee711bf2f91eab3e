import { type Db, type Filter, MongoBulkWriteError } from "mongodb";
import type { MessageState } from "../shared/message-state.ts";
import type { MessageDocument } from "./documents.ts";
import { DUPLICATE_KEY, guarded, storeFault } from "./store-fault.ts";

export type InsertOutcome = "stored" | "idempotency_key_taken";

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
     * Stores each of the messages or none of it; the outcomes are in their order.
     * @throws Fault store.unavailable when it is not known of any that it is stored
     */
    async insertMany(documents: readonly MessageDocument[]): Promise<InsertOutcome[]> {
      try {
        await messages.insertMany([...documents], { ordered: false });
        return documents.map(() => "stored");
      } catch (error) {
        if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError())
          throw storeFault(error);
        const errors = [error.writeErrors].flat();
        const taken = new Set<number>();
        for (const { code, index, errmsg } of errors) {
          if (code !== DUPLICATE_KEY || !errmsg?.includes("idempotency")) throw storeFault(error);
          taken.add(index);
        }
        if (errors.length === 0) throw storeFault(error);
        return documents.map((_, index) => (taken.has(index) ? "idempotency_key_taken" : "stored"));
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
