import type { ClientSession, Db, Filter } from "mongodb";
import type { Removed } from "./message-removal.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

/** A document that proves a removal: counts by collection, and of remaining data. */
interface Proof {
  readonly _id: string;
  readonly removed?: Removed;
  readonly left?: Partial<Removed>;
}

/**
 * Runs a step of a removal, and adds its counts to the proof, in one transaction: an interrupted step removes and
 * counts nothing, and the counts are exact.
 * @param still filter for open proofs; a step for a closed proof is rolled back
 * @throws Fault store.unavailable
 */
export function createProvedSteps(db: Db, collection: "erasures" | "deletedAccounts", still: Filter<Proof>) {
  const proofs = db.collection<Proof>(collection);

  return async <R extends { readonly removed: Removed; readonly left?: Removed }>(
    id: string,
    step: (session: ClientSession) => Promise<R>,
  ): Promise<R> => {
    const done = inTransaction(db.client, async (session) => {
      const result = await step(session);
      const counted = (["removed", "left"] as const).flatMap((field) =>
        Object.entries(result[field] ?? {}).flatMap(([name, count]) =>
          count > 0 ? [[`${field}.${name}`, count] as const] : [],
        ),
      );
      if (counted.length === 0) return result;
      const $inc = Object.fromEntries(counted);
      const { matchedCount } = await proofs.updateOne({ ...still, _id: id }, { $inc }, { session });
      if (matchedCount === 0) throw new Error(`the proof ${id} is closed and cannot be changed`);
      return result;
    });
    return guarded(done);
  };
}
