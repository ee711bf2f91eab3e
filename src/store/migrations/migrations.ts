import { bucketsMigration } from "./2-buckets.ts";
import { membersMigration } from "./3-members.ts";
import { domainsMigration } from "./4-domains.ts";
import { searchMigration } from "./5-search.ts";
import { suppressionsMigration } from "./6-suppressions.ts";
import { queueIndexMigration } from "./7-queue-index.ts";
import { systemMailMigration } from "./8-system-mail.ts";
import { countersMigration } from "./9-counters.ts";
import { eventPagesMigration } from "./10-event-pages.ts";
import { messageEndsMigration } from "./11-message-ends.ts";
import { unusedIndexesMigration } from "./12-unused-indexes.ts";
import { countingMigration } from "./13-counting.ts";
import type { Migration } from "./migration.ts";

/** Version of databases without a record of it: those of Hermod 0.1.0. */
export const FIRST_SCHEMA_VERSION = 1;

/**
 * All migrations, in order, one file each (`<version>-<name>.ts`). A released migration never changes and is never
 * removed: a database of any earlier release gets the ones that it lacks.
 */
export const migrations: readonly Migration[] = [
  bucketsMigration,
  membersMigration,
  domainsMigration,
  searchMigration,
  suppressionsMigration,
  queueIndexMigration,
  systemMailMigration,
  countersMigration,
  eventPagesMigration,
  messageEndsMigration,
  unusedIndexesMigration,
  countingMigration,
];

/** The schema version after all of these. */
export function newestOf(all: readonly Migration[]): number {
  return all.at(-1)?.version ?? FIRST_SCHEMA_VERSION;
}
