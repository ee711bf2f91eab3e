import type { Db, UpdateResult } from "mongodb";
import { fault } from "../shared/fault.ts";
import { MAX_PARTITIONS } from "../shared/partition.ts";
import type { PartitionCountDocument, PartitionDocument, WorkerDocument } from "./documents.ts";
import { type Found, readEachById } from "./read-each.ts";
import { guarded, isDuplicateKey, isUnreadable, storeFault } from "./store-fault.ts";
import { isHonoured, later, mayTake, type StoreNow, storeNow } from "./store-time.ts";

export type PartitionStore = ReturnType<typeof createPartitionStore>;

/** State of a partition's lease by the store's clock. */
export interface PartitionLease extends PartitionDocument {
  /** The lease has not expired, and does not end later than a full lease. */
  readonly active: boolean;
}

/** A worker as other workers see it. Its claims are unverified. */
export type LiveWorker = Pick<WorkerDocument, "_id" | "claims" | "leaving">;

/** Contents of a worker's regular announcement. */
export type Announcement = Required<Pick<WorkerDocument, "claims" | "leaving">>;

/** A new lease. */
export interface Taken {
  readonly epoch: number;
  /** Time of the store. */
  readonly at: Date;
}

/** Above this value, an increment has no effect. */
const MAX_EPOCH = Number.MAX_SAFE_INTEGER;
/** Projection of a document: damage in other fields has no effect. */
const READ = { owner: 1, epoch: 1, expiresAt: 1 } as const;
const COUNT = "partitions";

/**
 * Leases of the queue's partitions, and the workers that compete for them. Only the store's clock decides about
 * expiry: a worker with a wrong clock can neither keep an expired lease nor take another worker's lease.
 * @param now the store's clock; tests replace it
 */
export function createPartitionStore(db: Db, now: StoreNow = storeNow) {
  const partitions = db.collection<PartitionDocument>("partitions");
  const workers = db.collection<WorkerDocument>("workers");
  const installation = db.collection<PartitionCountDocument>("installation");

  async function announce(id: string, leaseMs: number, { claims, leaving }: Announcement): Promise<Date> {
    const announced = await guarded(
      workers.findOneAndUpdate(
        { _id: id },
        [
          {
            $set: {
              expiresAt: later(now(), leaseMs),
              claims: { $literal: claims },
              leaving,
              announced: { $literal: true },
            },
          },
        ],
        { upsert: true, returnDocument: "after", projection: { expiresAt: 1, _id: 0 } },
      ),
    );
    if (!announced) throw new Error("an upsert left no document");
    return new Date(announced.expiresAt.getTime() - leaseMs);
  }

  /** Changes leases. A lease with which the server cannot compute is skipped, and the others are changed. */
  async function change(
    ids: readonly number[],
    update: (those: readonly number[]) => Promise<UpdateResult>,
  ): Promise<number> {
    try {
      return (await guarded(update(ids))).matchedCount;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      if (ids.length <= 1) return 0;
    }
    const counts = await Promise.all(ids.map((id) => change([id], update)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async function take(id: number, owner: string, leaseMs: number): Promise<Taken | undefined> {
    const moment = now();
    const owned = { $literal: owner };
    // The condition is in the update: MongoDB allows no $expr in the filter of an upsert.
    const may = mayTake("$owner", owned, moment, leaseMs);
    const ifMay = (value: unknown, path: string) => ({ $cond: [may, value, path] });
    try {
      const lease = await partitions.findOneAndUpdate(
        { _id: id },
        [
          {
            $set: {
              owner: ifMay(owned, "$owner"),
              expiresAt: ifMay(later(moment, leaseMs), "$expiresAt"),
              epoch: ifMay(nextEpoch(moment), "$epoch"),
            },
          },
        ],
        { upsert: true, returnDocument: "after", projection: READ },
      );
      if (lease?.owner !== owner) return undefined;
      return { epoch: lease.epoch, at: new Date(lease.expiresAt.getTime() - leaseMs) };
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw storeFault(error);
    }
  }

  return {
    /** Number of partitions; undefined: not stored yet, or unreadable. */
    async count(): Promise<number | undefined> {
      const stored = await guarded(installation.findOne({ _id: COUNT }, { projection: { count: 1 } }));
      return stored && isCount(stored.count) ? stored.count : undefined;
    },

    /** Number of partitions that were ever leased; undefined: none. */
    async leasedCount(): Promise<number | undefined> {
      const [last] = await guarded(
        partitions
          .find({}, { projection: { _id: 1 } })
          .sort({ _id: -1 })
          .limit(1)
          .toArray(),
      );
      return last && isCount(last._id + 1) ? last._id + 1 : undefined;
    },

    /**
     * Raises the stored number of partitions to at least this one.
     * @returns the stored number
     */
    async raiseCount(count: number): Promise<number> {
      // A value that is not a number, or too large for one, is damaged.
      const before = { $cond: [{ $lte: ["$count", MAX_PARTITIONS] }, "$count", 0] };
      const raise = () =>
        installation.findOneAndUpdate({ _id: COUNT }, [{ $set: { count: { $max: [before, count] } } }], {
          upsert: true,
          returnDocument: "after",
          projection: { count: 1 },
        });
      const stored = await orAnew(raise, () => installation.deleteOne({ _id: COUNT }));
      if (!stored || !isCount(stored.count)) {
        throw fault("store.unavailable", { internal: "the stored number of partitions is not a number" });
      }
      return stored.count;
    },

    /** @returns the store's time */
    announceWorker: (
      id: string,
      leaseMs: number,
      announcement: Announcement = { claims: [], leaving: false },
    ): Promise<Date> =>
      orAnew(
        () => announce(id, leaseMs, announcement),
        () => workers.deleteOne({ _id: id }),
      ),

    async removeWorker(id: string): Promise<void> {
      await guarded(workers.deleteOne({ _id: id }));
    },

    liveWorkers: (leaseMs: number): Promise<Found<LiveWorker>> =>
      readEachById<LiveWorker>(
        {
          find: (only, options) => {
            const live = { ...only, $expr: isHonoured("$expiresAt", now(), leaseMs) };
            return workers.find(live, { projection: { claims: 1, leaving: 1 }, ...options });
          },
          findAll: (options) => workers.find({}, options),
        },
        ({ _id }) => (typeof _id === "string" ? undefined : "_id: it is not a string"),
      ),

    list: (leaseMs: number): Promise<Found<PartitionLease>> =>
      readEachById<PartitionLease>(
        {
          find: (only, options) => {
            const active = isHonoured("$expiresAt", now(), leaseMs);
            return partitions.find(only, { projection: { ...READ, active }, ...options });
          },
          findAll: (options) => partitions.find({}, options),
        },
        leaseFault,
      ),

    /** Extends the leases that the worker still holds. */
    renew(owner: string, ids: readonly number[], leaseMs: number): Promise<number> {
      const moment = now();
      return change(ids, (those) =>
        partitions.updateMany(
          // Regardless of how late it ends: no other worker has taken it.
          { _id: { $in: [...those] }, owner, $expr: { $gt: ["$expiresAt", moment] } },
          [{ $set: { expiresAt: later(moment, leaseMs) } }],
        ),
      );
    },

    /**
     * Takes a partition that is free or has an expired lease, or again one of this worker. A lease with which the
     * server cannot compute is removed first: the caller knows that no worker relies on it.
     * @returns undefined: another worker was faster
     */
    async take(id: number, owner: string, leaseMs: number): Promise<Taken | undefined> {
      try {
        return await take(id, owner, leaseMs);
      } catch (error) {
        if (!isUnreadable(error)) throw error;
      }
      try {
        await partitions.deleteOne({ _id: id });
        return await take(id, owner, leaseMs);
      } catch (error) {
        // The other partitions can still be taken.
        if (isUnreadable(error)) return undefined;
        throw storeFault(error);
      }
    },

    async release(owner: string, ids: readonly number[]): Promise<void> {
      await change(ids, (those) =>
        partitions.updateMany({ _id: { $in: [...those] }, owner }, [{ $set: { expiresAt: now() } }]),
      );
    },
  };
}

/** Changes a document. A document with which the server cannot compute is recreated. */
async function orAnew<T>(change: () => Promise<T>, remove: () => Promise<unknown>): Promise<T> {
  try {
    return await guarded(change());
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  await guarded(remove());
  return guarded(change());
}

/**
 * The next epoch. If the previous one is unknown, the time in milliseconds: recorded epochs were counted, and a
 * partition is not taken once per millisecond.
 */
function nextEpoch(moment: ReturnType<StoreNow>) {
  const isKnown = {
    $and: [{ $isNumber: "$epoch" }, { $gte: ["$epoch", 0] }, { $lt: ["$epoch", MAX_EPOCH] }],
  };
  return { $cond: [isKnown, { $add: ["$epoch", 1] }, { $toLong: moment }] };
}

function leaseFault({ _id, owner, epoch, expiresAt }: PartitionLease): string | undefined {
  if (typeof _id !== "number") return "_id: it is not a number";
  if (typeof owner !== "string") return "owner: it is not a string";
  if (!Number.isInteger(epoch) || epoch < 0 || epoch >= MAX_EPOCH) return "epoch: it is out of range";
  return expiresAt instanceof Date && !Number.isNaN(+expiresAt) ? undefined : "expiresAt: it is not a date";
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_PARTITIONS;
}
