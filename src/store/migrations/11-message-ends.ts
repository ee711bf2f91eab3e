import type { Migration } from "./migration.ts";

/**
 * From then on, the event of a delivery is a part of its message, for messages that are accepted later. Earlier messages keep their
 * events: all versions read them.
 */
export const messageEndsMigration: Migration = {
  version: 11,
  name: "a message contains the event of its delivery",
  background: true,
  // Programs of the previous version do not read it there.
  alone: true,
  run: async () => undefined,
};
