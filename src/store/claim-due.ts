import type { Collection, Document } from "mongodb";
import { guarded } from "./store-fault.ts";

/**
 * Takes the document whose turn it is until then; null: none is due. Another process that takes it first makes this one look for
 * the next.
 * @param field time of the turn, which an index has
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
