import type { Db, IndexDescription } from "mongodb";
import { inParallel } from "../shared/in-parallel.ts";
import { collections } from "./collections/collections.ts";
import { guarded } from "./store-fault.ts";

/** Every start queries the keys that encrypt secrets. */
const sealedWith: IndexDescription = {
  key: { sealedWith: 1 },
  name: "sealed_with",
  partialFilterExpression: { sealedWith: { $exists: true } },
};

/** A start waits for these, each with a round trip and a commit. A connection costs as much as some of them. */
const AT_ONCE = 4;

/** Creates the indexes of every collection. @throws Fault store.unavailable */
export async function createIndexes(db: Db): Promise<void> {
  await inParallel(Object.entries(collections), AT_ONCE, async ([name, { indexes, sealed }]) => {
    const all = [...indexes, ...(sealed ? [sealedWith] : [])];
    await guarded(db.collection(name).createIndexes(all));
  });
}
