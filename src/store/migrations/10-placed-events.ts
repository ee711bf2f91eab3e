import type { UnplacedDocument } from "../event-log.ts";
import { inTransaction } from "../transaction.ts";
import type { Migration } from "./migration.ts";

const BATCH = 500;

/**
 * Moves the changes that wait for their place in the event log to the collection of events without a place. From then on, every
 * process records its events there, in place of counting them itself.
 */
export const placedEventsMigration: Migration = {
  version: 10,
  name: "one process at a time counts events and gives them their place",
  background: true,
  // Programs of the previous version know neither the pages of recorded events nor their places.
  alone: true,
  run: async ({ db }) => {
    const former = db.collection<UnplacedDocument>("unplacedChanges");
    const unplaced = db.collection<UnplacedDocument>("unplacedEvents");
    let isAnyLeft = true;
    while (isAnyLeft) {
      isAnyLeft = await inTransaction(db.client, async (session) => {
        // Within the transaction: a suspended process of the previous version may place the same ones when it continues.
        const batch = await former.find({}, { session }).sort({ _id: 1 }).limit(BATCH).toArray();
        if (batch.length === 0) return false;
        await former.deleteMany({ _id: { $in: batch.map(({ _id }) => _id) } }, { session });
        await unplaced.insertMany(batch, { session });
        return true;
      });
    }
    await former.drop();
  },
};
