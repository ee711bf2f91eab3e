import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "mongodb";
import { guarded, isDuplicateKey, storeFault } from "./store-fault.ts";
import { isHonoured, later, storeNow } from "./store-time.ts";

/** A process that has held the turn for this long has crashed. */
const LEASE_MS = 5_000;
const ASK_MS = 50;

/**
 * Runs `work` in one process at a time. For work that tolerates a rare concurrent run. The store's clock decides when
 * a turn has expired, so that a process with a wrong clock does not block others.
 * @throws Fault store.unavailable, and every error of `work`
 */
export async function withNamedLock<T>(db: Db, name: string, work: () => Promise<T>): Promise<T> {
  const lock = lockOf(db, name);
  while (!(await lock.take())) await sleep(ASK_MS);
  return lock.use(work);
}

/** As `withNamedLock`, or not at all while another process has the turn. */
export async function withNamedLockIfFree(db: Db, name: string, work: () => Promise<void>): Promise<void> {
  const lock = lockOf(db, name);
  if (await lock.take()) await lock.use(work);
}

function lockOf(db: Db, name: string) {
  const locks = db.collection<{ _id: string; holder?: string; until: Date }>("installation");
  const holder = randomUUID();

  /** False: another process has the turn. */
  async function take(): Promise<boolean> {
    const now = storeNow();
    const isFree = { $not: [isHonoured("$until", now, LEASE_MS)] };
    const change = {
      until: { $cond: [isFree, later(now, LEASE_MS), "$until"] },
      holder: { $cond: [isFree, holder, "$holder"] },
    };
    try {
      const lock = await locks.findOneAndUpdate({ _id: name }, [{ $set: change }], {
        upsert: true,
        returnDocument: "after",
      });
      return lock?.holder === holder;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw storeFault(error);
    }
  }

  async function use<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      await guarded(locks.updateOne({ _id: name, holder }, { $set: { until: new Date(0) } }));
    }
  }

  return { take, use };
}
