import type { Db } from "mongodb";
import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/logger.ts";
import { StartupError } from "../../shared/startup-error.ts";
import type { SchemaStore } from "../schema-store.ts";
import type { Migration, MigrationProgress } from "./migration.ts";

/** Between two lines of the log about one migration. */
const TELL_MS = 5_000;

/** The right to migrate, while it is this process's. */
export interface Lease {
  /** Aborted when the process ends or the lease is lost. */
  readonly signal: AbortSignal;
  /** Counts the lease as lost: another process goes on. */
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
 * Runs one migration from where it was, under the lease.
 * @throws StartupError naming it, when it fails; anything else when the lease is lost or the process ends
 */
export async function runMigration(migration: Migration, options: RunMigrationOptions): Promise<void> {
  const { db, store, holder, clock, log, lease } = options;
  const { signal } = lease;
  const { version, name } = migration;
  signal.throwIfAborted();
  await store.addMigration(migration);
  const begun = await store.beginMigration(version, holder, clock.now());
  const startedMs = clock.monotonicMs();
  const words = begun.cursor === undefined ? "a migration begins" : "a migration goes on from where it was";
  log.info({ migration: version, name, done: begun.done, total: begun.total }, words);

  let { cursor, done, total } = begun;
  let toldMs = startedMs;
  const change = async (fields: Parameters<SchemaStore["changeMigration"]>[2]) => {
    if (await store.changeMigration(version, holder, fields)) return;
    lease.lose("another process has begun the migration");
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
      if (clock.monotonicMs() - toldMs < TELL_MS) return;
      toldMs = clock.monotonicMs();
      log.info({ migration: version, name, done, total }, "a migration is under way");
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
      `The database could not be migrated to version ${version} (${name}): ${reason}. What was done so far stays; the ` +
        "next start goes on with it.",
      error,
    );
  }
  await change({ state: "done", finishedAt: clock.now() });
  const tookMs = Math.round(clock.monotonicMs() - startedMs);
  log.info({ migration: version, name, done, total, tookMs }, "a migration is done");
}
