import { bucketsMigration } from "./2-buckets.ts";
import { membersMigration } from "./3-members.ts";
import { domainsMigration } from "./4-domains.ts";
import { searchMigration } from "./5-search.ts";
import { suppressionsMigration } from "./6-suppressions.ts";
import { queueIndexMigration } from "./7-queue-index.ts";
import { systemMailMigration } from "./8-system-mail.ts";
import { countersMigration } from "./9-counters.ts";
import type { Migration } from "./migration.ts";

/** The version of databases that have no note of it: those of Hermod 0.1.0. */
export const FIRST_SCHEMA_VERSION = 1;

/**
 * All migrations, in order, one file each (`<version>-<name>.ts`). None is ever changed or removed once it is released:
 * a database of any release before is brought up to date by those that it lacks.
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
];

/** The version that a database has after all of these. */
export function newestOf(all: readonly Migration[]): number {
  return all.at(-1)?.version ?? FIRST_SCHEMA_VERSION;
}
