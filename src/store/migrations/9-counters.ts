import type { Migration } from "./migration.ts";

/**
 * Records the start of counting for opens, clicks, unsubscriptions and latencies, and by key, template and sending
 * domain: the time of this migration. A new database has no record, because everything in it was counted.
 */
export const countersMigration: Migration = {
  version: 9,
  name: "counters measure engagement and latency from now on",
  background: true,
  run: async () => undefined,
};
