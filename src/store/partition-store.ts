import type { Db } from "mongodb";
import type { PartitionDocument, WorkerDocument } from "./documents.ts";
import { guarded, isDuplicateKey, storeFault } from "./store-fault.ts";

export type PartitionStore = ReturnType<typeof createPartitionStore>;

/** Leases of the queue's partitions, and the workers that want some. */
export function createPartitionStore(db: Db) {
  const partitions = db.collection<PartitionDocument>("partitions");
  const workers = db.collection<WorkerDocument>("workers");

  return {
    async announceWorker(id: string, expiresAt: Date): Promise<void> {
      await guarded(workers.updateOne({ _id: id }, { $set: { expiresAt } }, { upsert: true }));
    },

    async removeWorker(id: string): Promise<void> {
      await guarded(workers.deleteOne({ _id: id }));
    },

    async liveWorkers(now: Date): Promise<string[]> {
      const live = await guarded(workers.find({ expiresAt: { $gt: now } }).toArray());
      return live.map(({ _id }) => _id);
    },

    list: () => guarded(partitions.find({}).toArray()),

    /** Prolongs the leases of those that the worker still holds. */
    async renew(owner: string, ids: readonly number[], now: Date, expiresAt: Date): Promise<number> {
      const result = await guarded(
        partitions.updateMany(
          { _id: { $in: [...ids] }, owner, expiresAt: { $gt: now } },
          { $set: { expiresAt } },
        ),
      );
      return result.matchedCount;
    },

    /**
     * Takes a partition that is free or whose lease has run out, or anew what the worker had.
     * @returns the epoch of the new lease; undefined: another worker was faster
     */
    async take(id: number, owner: string, now: Date, expiresAt: Date): Promise<number | undefined> {
      try {
        const taken = await partitions.findOneAndUpdate(
          { _id: id, $or: [{ owner }, { expiresAt: { $lte: now } }] },
          { $set: { owner, expiresAt }, $inc: { epoch: 1 } },
          { upsert: true, returnDocument: "after" },
        );
        return taken?.epoch;
      } catch (error) {
        if (isDuplicateKey(error)) return undefined;
        throw storeFault(error);
      }
    },

    async release(owner: string, ids: readonly number[], now: Date): Promise<void> {
      await guarded(partitions.updateMany({ _id: { $in: [...ids] }, owner }, { $set: { expiresAt: now } }));
    },
  };
}
