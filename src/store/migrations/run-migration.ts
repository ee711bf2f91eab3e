import type { Db } from "mongodb";
import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/logger.ts";
import { StartupError } from "../../shared/startup-error.ts";
import type { SchemaStore } from "../schema-store.ts";
import type { Migration, MigrationProgress } from "./migration.ts";

/** Interval of log lines about a migration. */
const REPORT_MS = 5_000;

/** The right to migrate, while this process holds it. */
export interface Lease {
  /** Aborted on shutdown, or when the lease is lost. */
  readonly signal: AbortSignal;
  /** Marks the lease as lost: another process continues. */
  lose(reason: string): void;
}

export interface RunMigrationOptions {
  readonly db: Db;
  readonly store: SchemaStore;
  readonly holder: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly lease: Lease;
}

/**
 * Runs one migration from its saved progress, under the lease.
 * @throws StartupError that names it, if it fails; another error if the lease is lost or the process ends
 */
export async function runMigration(migration: Migration, options: RunMigrationOptions): Promise<void> {
  const { db, store, holder, clock, log, lease } = options;
  const { signal } = lease;
  const { version, name } = migration;
  signal.throwIfAborted();
  await store.addMigration(migration);
  const begun = await store.beginMigration(version, holder, clock.now());
  const startedMs = clock.monotonicMs();
  const words =
    begun.cursor === undefined ? "a migration begins" : "a migration continues from its saved progress";
  log.info({ migration: version, name, done: begun.done, total: begun.total }, words);

  let { cursor, done, total } = begun;
  let reportedMs = startedMs;
  const change = async (fields: Parameters<SchemaStore["changeMigration"]>[2]) => {
    if (await store.changeMigration(version, holder, fields)) return;
    lease.lose("another process has started the migration");
    signal.throwIfAborted();
  };
  const progress: MigrationProgress = {
    get cursor() {
      return cursor;
    },
    get done() {
      return done;
    },
    save: async (step) => {
      signal.throwIfAborted();
      await change(step);
      ({ cursor, done, total = total } = step);
      if (clock.monotonicMs() - reportedMs < REPORT_MS) return;
      reportedMs = clock.monotonicMs();
      log.info({ migration: version, name, done, total }, "a migration is running");
    },
  };
  try {
    await migration.run({ db, progress, log, signal });
    signal.throwIfAborted();
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    await change({ failure: reason }).catch(() => undefined);
    throw new StartupError(
      `The migration of the database to version ${version} (${name}) failed: ${reason}. Finished steps are kept, and the ` +
        "next start continues it.",
      error,
    );
  }
  await change({ state: "done", finishedAt: clock.now() });
  const tookMs = Math.round(clock.monotonicMs() - startedMs);
  log.info({ migration: version, name, done, total, tookMs }, "a migration is done");
}
