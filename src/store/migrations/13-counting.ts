import { inTransaction } from "../transaction.ts";
import type { Migration } from "./migration.ts";

interface SequenceDocument {
  readonly _id: string;
  readonly last: number;
  readonly countedThrough?: number;
}

const SEQUENCE = "eventLog";

/**
 * From then on, a reader of the event log counts its events. The last place with events that were counted when they were placed is
 * recorded. A transaction that places others at the same time comes before, or finds the record and leaves the counting to the reader.
 */
export const countingMigration: Migration = {
  version: 13,
  name: "a reader of the event log counts events",
  background: true,
  // Programs of the previous version count what they place.
  alone: true,
  run: async ({ db }) => {
    const sequences = db.collection<SequenceDocument>("installation");
    await inTransaction(
      db.client,
      async (session) => {
        const { last = 0, countedThrough = last } =
          (await sequences.findOne({ _id: SEQUENCE }, { session })) ?? {};
        await sequences.updateOne(
          { _id: SEQUENCE },
          { $set: { countedThrough }, $setOnInsert: { last } },
          { session, upsert: true },
        );
      },
      { retryDuplicates: true },
    );
  },
};
