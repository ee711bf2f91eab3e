import type { Migration } from "./migration.ts";

/**
 * Notes when counting began of opens, clicks, unsubscriptions and latencies, and by key, template and sending domain: the time at
 * which it is done. A new database has no note of it, for there is nothing that was not counted.
 */
export const countersMigration: Migration = {
  version: 9,
  name: "counters measure engagement and latency from now on",
  background: true,
  run: async () => undefined,
};
