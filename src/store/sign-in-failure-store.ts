import type { Db } from "mongodb";
import type { SignInFailuresDocument } from "./documents.ts";
import { guarded, isDuplicateKey, storeFault } from "./store-fault.ts";

/** Numbers of failed sign-ins, by keys without addresses in plain text. */
export function createSignInFailureStore(db: Db) {
  const failures = db.collection<SignInFailuresDocument>("signInFailures");

  return {
    find: (id: string) => guarded(failures.findOne({ _id: id })),

    /** Counts one more than `former`; false: the count has changed concurrently. */
    async count(
      former: SignInFailuresDocument | null,
      { _id, ...next }: SignInFailuresDocument,
    ): Promise<boolean> {
      try {
        if (!former) {
          await failures.insertOne({ _id, ...next });
          return true;
        }
        const unchanged = { _id, count: former.count, lastAt: former.lastAt };
        return (await failures.updateOne(unchanged, { $set: next })).matchedCount === 1;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw storeFault(error);
      }
    },

    /** Counts one less. */
    async takeBack(id: string): Promise<void> {
      await guarded(failures.updateOne({ _id: id, count: { $gt: 0 } }, { $inc: { count: -1 } }));
    },

    forget: (id: string) => guarded(failures.deleteOne({ _id: id })).then(() => undefined),
  };
}
