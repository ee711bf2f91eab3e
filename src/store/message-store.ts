import { type Db, type Filter, MongoBulkWriteError } from "mongodb";
import { fault } from "../shared/fault.ts";
import { isFinal, type MessageState, statesBeforeOutcome } from "../shared/message-state.ts";
import type { MessageDocument } from "./documents.ts";
import { DUPLICATE_KEY, guarded, storeFault } from "./store-fault.ts";

export type InsertOutcome = "stored" | "idempotency_key_taken";

/** The end of one attempt, or of a message that is not attempted. */
export interface MessageTransition {
  readonly messageId: string;
  readonly to: MessageState;
  readonly attempts: number;
  readonly at: Date;
  /** For `deferred`. */
  readonly nextAttemptAt?: Date;
  /** For final states: when the record may go. */
  readonly expireAt?: Date;
}

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

    /** Messages of these partitions whose attempt is due, the longest waiting first. */
    findDue(partitions: readonly number[], now: Date, limit: number): Promise<MessageDocument[]> {
      return guarded(
        messages
          .find({ partition: { $in: [...partitions] }, nextAttemptAt: { $lte: now } })
          .sort({ nextAttemptAt: 1 })
          .limit(limit)
          .toArray(),
      );
    },

    countWaiting(): Promise<number> {
      return guarded(messages.countDocuments({ nextAttemptAt: { $exists: true } }));
    },

    /**
     * Writes the ends of attempts. One whose message has moved on meanwhile changes nothing.
     * @returns how many were written
     */
    async applyTransitions(transitions: readonly MessageTransition[]): Promise<number> {
      const operations = transitions.map(({ messageId, to, attempts, at, nextAttemptAt, expireAt }) => {
        const from = statesBeforeOutcome(to);
        if (from.length === 0) throw fault("internal.error", { internal: `no attempt ends in ${to}` });
        const filter = { _id: messageId, state: { $in: from }, attempts: attempts - 1 };
        const set = { state: to, attempts, updatedAt: at, ...(expireAt && { expireAt }) };
        const update = isFinal(to)
          ? { $set: set, $unset: { nextAttemptAt: "" as const } }
          : { $set: { ...set, ...(nextAttemptAt && { nextAttemptAt }) } };
        return { updateOne: { filter, update } };
      });
      const result = await guarded(messages.bulkWrite(operations, { ordered: false }));
      return result.matchedCount;
    },
  };
}
