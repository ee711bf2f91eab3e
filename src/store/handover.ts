import type { Collection } from "mongodb";
import { waitingStates } from "../shared/message-state.ts";
import { allNamed, named } from "./bucket.ts";
import type { MessageDocument } from "./message-documents.ts";
import { guarded } from "./store-fault.ts";

/** An attempt that is being made, under the lease of this epoch. */
export type FencedAttempt = Pick<MessageDocument, "_id" | "bucket" | "attempts"> & { readonly epoch: number };

/**
 * What passes from one owner of a partition to the next. A message is the later owner's once he has claimed it, when its
 * attempt begins, and the earlier one's while he has hidden it or until he has recorded its attempt: whichever was written first.
 */
export function createHandover(messages: Collection<MessageDocument>) {
  const waiting = { state: { $in: [...waitingStates] } };

  return {
    /**
     * Takes messages over from earlier owners before an attempt of each begins: earlier owners write no results of them
     * from then on.
     * @param now by which they are due: one that its owner has hidden stays his, and so does one whose attempt he has recorded
     * @returns the ids of those that were taken over, by this call or one before
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
     * Hides messages that are being delivered from the next owner of their partition, until then.
     * @returns the ids of those that are hidden: neither what has ended nor what a later owner has claimed
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

    /** Shows messages again that `hold` has hidden, when no attempt is under way any more. */
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
