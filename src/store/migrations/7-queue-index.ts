import { dropIndex } from "./drop-index.ts";
import type { Migration } from "./migration.ts";

/** The queue index that earlier releases need. Each start creates the current one. */
const FORMER_INDEX = "queue";

/** Removes the former queue index, which contained only `nextAttemptAt`. */
export const queueIndexMigration: Migration = {
  version: 7,
  name: "the former index of the queue is removed",
  background: true,
  // Workers of earlier releases read the queue with it.
  alone: true,
  run: async ({ db }) => {
    await dropIndex(db, "messages", FORMER_INDEX);
  },
};
