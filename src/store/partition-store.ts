import type { Db } from "mongodb";
import type { PartitionDocument, WorkerDocument } from "./documents.ts";
import { guarded, isDuplicateKey, storeFault } from "./store-fault.ts";
import { isHonoured, later, type StoreNow, storeNow } from "./store-time.ts";

export type PartitionStore = ReturnType<typeof createPartitionStore>;

/** A partition's lease as the store's clock has it. */
export interface PartitionLease extends PartitionDocument {
  /** It has not run out, and does not end further ahead than a lease is long. */
  readonly active: boolean;
}

/**
 * Leases of the queue's partitions, and the workers that want some. The store alone tells what has run out, by its own
 * clock: a worker whose clock is wrong can neither hold what it does not renew nor take what others hold.
 * @param now the store's clock; tests put another one in its place
 */
export function createPartitionStore(db: Db, now: StoreNow = storeNow) {
  const partitions = db.collection<PartitionDocument>("partitions");
  const workers = db.collection<WorkerDocument>("workers");

  return {
    /** @returns the store's time */
    async announceWorker(id: string, leaseMs: number): Promise<Date> {
      const announced = await guarded(
        workers.findOneAndUpdate({ _id: id }, [{ $set: { expiresAt: later(now(), leaseMs) } }], {
          upsert: true,
          returnDocument: "after",
        }),
      );
      if (!announced) throw new Error("an upsert has left no document");
      return new Date(announced.expiresAt.getTime() - leaseMs);
    },

    async removeWorker(id: string): Promise<void> {
      await guarded(workers.deleteOne({ _id: id }));
    },

    async liveWorkers(leaseMs: number): Promise<string[]> {
      const live = await guarded(workers.find({ $expr: isHonoured("$expiresAt", now(), leaseMs) }).toArray());
      return live.map(({ _id }) => _id);
    },

    list: (leaseMs: number): Promise<PartitionLease[]> =>
      guarded(
        partitions
          .find<PartitionLease>(
            {},
            {
              projection: {
                owner: 1,
                epoch: 1,
                expiresAt: 1,
                active: isHonoured("$expiresAt", now(), leaseMs),
              },
            },
          )
          .toArray(),
      ),

    /** Prolongs the leases of those that the worker still holds. */
    async renew(owner: string, ids: readonly number[], leaseMs: number): Promise<number> {
      const moment = now();
      const result = await guarded(
        partitions.updateMany(
          // However far ahead it ends: nobody else has taken it.
          { _id: { $in: [...ids] }, owner, $expr: { $gt: ["$expiresAt", moment] } },
          [{ $set: { expiresAt: later(moment, leaseMs) } }],
        ),
      );
      return result.matchedCount;
    },

    /**
     * Takes a partition that is free or whose lease has run out, or anew what the worker had.
     * @returns the epoch of the new lease, and the store's time; undefined: another worker was faster
     */
    async take(
      id: number,
      owner: string,
      leaseMs: number,
    ): Promise<{ readonly epoch: number; readonly at: Date } | undefined> {
      const moment = now();
      const owned = { $literal: owner };
      // The condition stands in the update: MongoDB allows no $expr in the filter of an upsert.
      const may = {
        $or: [{ $eq: ["$owner", owned] }, { $not: [isHonoured("$expiresAt", moment, leaseMs)] }],
      };
      const ifMay = (value: unknown, path: string) => ({ $cond: [may, value, path] });
      try {
        const lease = await partitions.findOneAndUpdate(
          { _id: id },
          [
            {
              $set: {
                owner: ifMay(owned, "$owner"),
                expiresAt: ifMay(later(moment, leaseMs), "$expiresAt"),
                epoch: ifMay({ $add: [{ $ifNull: ["$epoch", 0] }, 1] }, "$epoch"),
              },
            },
          ],
          { upsert: true, returnDocument: "after" },
        );
        if (lease?.owner !== owner) return undefined;
        return { epoch: lease.epoch, at: new Date(lease.expiresAt.getTime() - leaseMs) };
      } catch (error) {
        if (isDuplicateKey(error)) return undefined;
        throw storeFault(error);
      }
    },

    async release(owner: string, ids: readonly number[]): Promise<void> {
      await guarded(
        partitions.updateMany({ _id: { $in: [...ids] }, owner }, [{ $set: { expiresAt: now() } }]),
      );
    },
  };
}
