import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "mongodb";
import { guarded, isDuplicateKey, storeFault } from "./store-fault.ts";

/** Who has had the turn for so long has ended in the middle of it. */
const TURN_MS = 5_000;
const ASK_MS = 50;

/**
 * Runs `work` in one process at a time. For what does no harm when two do it after all.
 * @throws Fault store.unavailable, and whatever `work` throws
 */
export async function inTurn<T>(db: Db, name: string, work: () => Promise<T>): Promise<T> {
  const turns = db.collection<{ _id: string; until: Date }>("installation");

  /** False: another one has it. */
  async function take(): Promise<boolean> {
    const now = new Date();
    const isFree = { _id: name, until: { $lte: now } };
    const until = new Date(now.getTime() + TURN_MS);
    try {
      await turns.updateOne(isFree, { $set: { until } }, { upsert: true });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw storeFault(error);
    }
  }

  while (!(await take())) await sleep(ASK_MS);
  try {
    return await work();
  } finally {
    await guarded(turns.updateOne({ _id: name }, { $set: { until: new Date(0) } }));
  }
}
