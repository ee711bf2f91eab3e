import { dropIndex } from "./drop-index.ts";
import type { Migration } from "./migration.ts";

/** Indexes that no query uses, by collection. */
const UNUSED: readonly (readonly [collection: string, index: string])[] = [
  ["incidents", "accountId_1_state_1__id_-1"],
  ["scorePoints", "accountId_1_workspaceId_1_at_-1"],
  ["partitions", "owner_1"],
];

/** Removes these indexes: each change of a document has the cost of its indexes. */
export const unusedIndexesMigration: Migration = {
  version: 12,
  name: "unused indexes are removed",
  background: true,
  // A start of the previous version creates them again.
  alone: true,
  run: async ({ db }) => {
    for (const [collection, index] of UNUSED) await dropIndex(db, collection, index);
  },
};
