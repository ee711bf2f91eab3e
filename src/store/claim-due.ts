import type { Collection, Document } from "mongodb";
import { guarded } from "./store-fault.ts";

/**
 * Claims the next due document until a time; null: none is due. If another process claims it first, this one tries
 * the next.
 * @param field due time, which has an index
 * @throws Fault store.unavailable
 */
export async function claimDue<D extends object>(
  collection: Collection<D>,
  field: keyof D & string,
  now: Date,
  until: Date,
): Promise<D | null> {
  const stored = collection as unknown as Collection<Document>;
  for (;;) {
    const due = stored.find({ [field]: { $lte: now } }, { projection: { [field]: 1 } });
    const [first] = await guarded(
      due
        .sort({ [field]: 1 })
        .limit(1)
        .toArray(),
    );
    if (!first) return null;
    const claimed = await guarded(
      stored.findOneAndUpdate(
        { _id: first._id, [field]: first[field] },
        { $set: { [field]: until } },
        { returnDocument: "after" },
      ),
    );
    if (claimed) return claimed as unknown as D;
  }
}
