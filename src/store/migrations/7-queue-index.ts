import { MongoServerError } from "mongodb";
import type { Migration } from "./migration.ts";

/** The queue index that earlier releases need. Each start creates the current one. */
const FORMER_INDEX = "queue";
const NO_SUCH_INDEX = [26, 27];

/** Removes the former queue index, which contained only `nextAttemptAt`. */
export const queueIndexMigration: Migration = {
  version: 7,
  name: "the former index of the queue is removed",
  background: true,
  // Workers of earlier releases read the queue with it.
  alone: true,
  run: async ({ db }) => {
    try {
      await db.collection("messages").dropIndex(FORMER_INDEX);
    } catch (error) {
      if (!(error instanceof MongoServerError) || !NO_SUCH_INDEX.includes(Number(error.code))) throw error;
    }
  },
};
