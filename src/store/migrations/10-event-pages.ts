import type { Migration } from "./migration.ts";

/**
 * From then on, every process records its events as pages that wait for their place in the event log, in place of counting
 * them itself. The data of the previous version stays as it is: all versions read it.
 */
export const eventPagesMigration: Migration = {
  version: 10,
  name: "one process at a time counts events and gives them their place",
  background: true,
  // Programs of the previous version do not know pages.
  alone: true,
  run: async () => undefined,
};
