import type { Collection } from "mongodb";
import { waitingStates } from "../shared/message-state.ts";
import { allNamed, named } from "./bucket.ts";
import type { MessageDocument } from "./message-documents.ts";
import { guarded } from "./store-fault.ts";

/** A running attempt, under the lease of this epoch. */
export type FencedAttempt = Pick<MessageDocument, "_id" | "bucket" | "attempts"> & { readonly epoch: number };

/**
 * Handover between successive owners of a partition. A message belongs to the later owner once it has claimed the
 * message, at the start of its attempt. It belongs to the earlier owner while it is hidden, or until the attempt is
 * recorded. The first write decides.
 */
export function createHandover(messages: Collection<MessageDocument>) {
  const waiting = { state: { $in: [...waitingStates] } };

  return {
    /**
     * Claims messages from earlier owners before an attempt of each begins. From then on, earlier owners cannot
     * record results.
     * @param now messages due by this time are claimed; a message stays with its owner if the owner has hidden it or
     * recorded its attempt
     * @returns the ids of the messages claimed by this or an earlier call
     */
    async claim(attempts: readonly FencedAttempt[], now: Date): Promise<ReadonlySet<string>> {
      if (attempts.length === 0) return new Set();
      const due = { ...waiting, nextAttemptAt: { $lte: now } };
      const operations = attempts.map((attempt) => {
        const { attempts: counted, epoch } = attempt;
        const filter = { ...named(attempt), attempts: counted, ...due, epoch: { $not: { $gte: epoch } } };
        return { updateOne: { filter, update: { $set: { epoch }, $unset: { held: "" as const } } } };
      });
      const { matchedCount } = await guarded(messages.bulkWrite(operations, { ordered: false }));
      const all = new Map(attempts.map((attempt) => [attempt._id, attempt]));
      if (matchedCount === all.size) return new Set(all.keys());
      const projection = { epoch: 1, attempts: 1 };
      const found = messages.find({ ...allNamed(attempts), ...due }, { projection });
      const ours = (await guarded(found.toArray())).filter((message) => {
        const wanted = all.get(message._id);
        return message.epoch === wanted?.epoch && message.attempts === wanted?.attempts;
      });
      return new Set(ours.map(({ _id }) => _id));
    },

    /**
     * Hides messages in delivery from the next owner of their partition, until a time.
     * @returns the ids of the hidden messages, without finished messages and messages that a later owner has claimed
     */
    async hold(attempts: readonly FencedAttempt[], until: Date): Promise<ReadonlySet<string>> {
      if (attempts.length === 0) return new Set();
      const operations = attempts.map((attempt) => {
        const { attempts: counted, epoch } = attempt;
        const isOurs = { epoch: { $not: { $gt: epoch } } };
        const filter = { ...named(attempt), attempts: counted, ...isOurs, ...waiting };
        const update = { $set: { nextAttemptAt: until, epoch, held: true as const } };
        return { updateOne: { filter, update } };
      });
      const { matchedCount } = await guarded(messages.bulkWrite(operations, { ordered: false }));
      const all = new Map(attempts.map(({ _id, epoch }) => [_id, epoch]));
      if (matchedCount === all.size) return new Set(all.keys());
      const held = messages.find(
        { ...allNamed(attempts), ...waiting, held: true },
        { projection: { epoch: 1 } },
      );
      const documents = await guarded(held.toArray());
      return new Set(documents.filter(({ _id, epoch }) => epoch === all.get(_id)).map(({ _id }) => _id));
    },

    /** Makes messages visible again that `hold` has hidden, when no attempt is running any more. */
    async unhide(attempts: readonly FencedAttempt[], at: Date): Promise<void> {
      const operations = attempts.map((attempt) => {
        const { attempts: counted, epoch } = attempt;
        const filter = { ...named(attempt), attempts: counted, epoch, held: true as const, ...waiting };
        const update = { $set: { nextAttemptAt: at }, $unset: { held: "" as const } };
        return { updateOne: { filter, update } };
      });
      if (operations.length > 0) await guarded(messages.bulkWrite(operations, { ordered: false }));
    },
  };
}
