import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "mongodb";
import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/logger.ts";
import { StartupError } from "../../shared/startup-error.ts";
import { withNamedLock } from "../named-lock.ts";
import { createSchemaStore, type MigrationDocument, type SchemaDocument } from "../schema-store.ts";
import type { Migration } from "./migration.ts";
import { FIRST_SCHEMA_VERSION, newestOf } from "./migrations.ts";
import { type Lease, runMigration } from "./run-migration.ts";

/*
 * Migrations, an overview.
 *
 * The database stores its schema version, and each started migration with its progress. Before any role serves,
 * `prepare` compares the version with that of the program:
 * - newer: the start is refused, and nothing is written
 * - missing: a database without collections gets the newest version at once; any other database has the first version
 * - older: foreground migrations run in order, under the lease, together with the background migrations before them.
 *   Those after the last foreground migration are recorded as waiting, and the version is raised.
 *
 * `work` runs the waiting migrations, also under the lease, while roles serve. A migration that must run alone waits
 * until no earlier program runs.
 *
 * Processes. Each announces itself with the version that it supports, and reads the stored version regularly
 * (`presence.ts`). Before a migration that must run alone, the database requires that version of every process: an
 * unseen process that was suspended ends when it continues.
 *
 * Lease. One document names the migrating process. It expires by the store's clock. Its holder extends it regularly,
 * and stops, by its own monotonic clock, before it can expire. Other processes wait, and log the progress of the
 * holder. Progress is written under the holder's name: after another process has started, writes of the former one
 * are refused.
 */

/** A lease that is not extended expires after this time, by the store's clock. */
const LEASE_MS = 10_000;
/** Interval at which a waiting process checks the progress. */
const POLL_MS = 1_000;
/** A waiting process gives up after this time without progress. */
const PATIENCE_MS = 5 * 60_000;

export interface MigratorOptions {
  readonly db: Db;
  readonly migrations: readonly Migration[];
  /** Name of this process, for other processes and the log. */
  readonly holder: string;
  /** Release of the program, for display. */
  readonly program: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted on shutdown. */
  readonly signal: AbortSignal;
  readonly leaseMs?: number;
  readonly pollMs?: number;
  readonly patienceMs?: number;
}

export interface Migrator {
  /**
   * Migrates the database to the version of this program, as far as required before a role serves.
   * @throws StartupError with an explanation if the database is newer, a migration fails, or another process makes no
   * progress with it
   * @throws Fault store.unavailable
   */
  prepare(): Promise<void>;
  /**
   * Runs the remaining background migrations, unless another process does.
   * @returns the number of remaining ones; 0: none, permanently
   * @throws every error of a migration; the next call continues it
   */
  work(): Promise<number>;
}

export function createMigrator(options: MigratorOptions): Migrator {
  const { db, migrations, holder, program, clock, log, signal } = options;
  const { leaseMs = LEASE_MS, pollMs = POLL_MS, patienceMs = PATIENCE_MS } = options;
  const store = createSchemaStore(db);
  const newest = newestOf(migrations);
  /** The processes that were last logged as blocking. */
  let eventOf = "";

  async function readOrNote(): Promise<SchemaDocument> {
    const noted = await store.read();
    if (noted) return noted;
    const version = (await store.isUsed()) ? FIRST_SCHEMA_VERSION : newest;
    return withNamedLock(db, "schema", () => store.note(version, program));
  }

  /** The unfinished migrations of the list, in order. */
  async function unfinished(version: number): Promise<readonly Migration[]> {
    const known = new Map((await store.listMigrations()).map((one) => [one.version, one]));
    return migrations.filter((migration) => {
      const noted = known.get(migration.version);
      return noted ? noted.state !== "done" : migration.version > version;
    });
  }

  /** The migrations required before a role serves: up to the last foreground migration. */
  async function urgent(): Promise<readonly Migration[]> {
    const { version } = await readOrNote();
    const pending = await unfinished(version);
    return pending.slice(0, pending.findLastIndex(({ background }) => !background) + 1);
  }

  async function runUrgent(lease: Lease): Promise<void> {
    for (const migration of await urgent()) {
      if (!(await isAlone(migration))) throw notAlone(migration, await earlier(migration.version));
      await run(migration, lease);
      await store.raise(migration.version, program);
    }
  }

  /** Needs no lease: concurrent calls do the same. */
  async function noteOthers(version: number): Promise<void> {
    for (const migration of await unfinished(version)) await store.addMigration(migration);
    await store.raise(newest, program);
  }

  /** Processes with a program older than this version. */
  async function earlier(version: number): Promise<string[]> {
    const processes = (await store.listProcesses()).filter((process) => process.schema < version);
    return [...processes.map(({ _id }) => _id), ...(await store.listUnannounced())];
  }

  /** True: no process blocks the migration now or later. */
  async function isAlone({ version, alone }: Migration): Promise<boolean> {
    if (!alone) return true;
    let others = await earlier(version);
    if (others.length === 0) {
      await store.raiseOldest(version);
      // A process that has announced itself in between finds the required version, and ends.
      others = await earlier(version);
      if (others.length === 0) return true;
    }
    if (others.join() !== eventOf)
      log.info({ migration: version, processes: others }, "waiting for earlier programs to end");
    eventOf = others.join();
    return false;
  }

  const run = (migration: Migration, lease: Lease) =>
    runMigration(migration, { db, store, holder, clock, log, lease });

  /**
   * Runs `task` under the lease, which is extended regularly.
   * @returns false: another process has the lease, or got it in between
   */
  async function underLease(task: (lease: Lease) => Promise<void>): Promise<boolean> {
    const lost = new AbortController();
    const lose = (reason: string) => lost.abort(new Error(reason));
    let askedMs = clock.monotonicMs();
    if ((await store.take(holder, leaseMs)) !== holder) return false;
    let heldUntilMs = askedMs + leaseMs * 0.7;
    let prolonging: Promise<void> | undefined;
    const timer = setInterval(() => {
      if (clock.monotonicMs() >= heldUntilMs) lose("the lease has expired");
      prolonging ??= prolong().finally(() => {
        prolonging = undefined;
      });
    }, leaseMs / 10);
    const prolong = async () => {
      askedMs = clock.monotonicMs();
      const owner = await store.take(holder, leaseMs).catch(() => undefined);
      if (owner === holder) heldUntilMs = askedMs + leaseMs * 0.7;
      else if (owner !== undefined) lose("another process has the lease");
    };
    try {
      await task({ signal: AbortSignal.any([signal, lost.signal]), lose });
      return true;
    } catch (error) {
      if (!lost.signal.aborted || signal.aborted) throw error;
      log.warn({ err: error }, "the migration lease was lost: another process may continue");
      return false;
    } finally {
      clearInterval(timer);
      await prolonging;
      // A lease that cannot be released expires.
      await store.release(holder).catch(() => undefined);
    }
  }

  return {
    prepare: async () => {
      const waiting = createWaiting({ log, clock, patienceMs });
      for (;;) {
        const { version, program: maker } = await readOrNote();
        if (version > newest) throw newerDatabase(version, maker, newest, program);
        if (version === newest) return;
        if ((await urgent()).length === 0) {
          await noteOthers(version);
          continue;
        }
        const isOver = await underLease(runUrgent).catch((error: unknown) => {
          throw signal.aborted ? endedMeanwhile() : error;
        });
        if (isOver) continue;
        waiting.look((await store.listMigrations()).filter(({ state }) => state !== "done"));
        await sleep(pollMs, undefined, { signal }).catch(() => {
          throw endedMeanwhile();
        });
      }
    },

    work: async () => {
      const left = await unfinished(newest);
      if (left.length === 0) return 0;
      await underLease(async (lease) => {
        for (const migration of left) {
          if (!(await isAlone(migration))) return;
          await run(migration, lease);
        }
      });
      return (await unfinished(newest)).length;
    },
  };
}

/** Waiting for another process: logs each step of progress, and gives up without any. */
function createWaiting({
  log,
  clock,
  patienceMs,
}: Pick<MigratorOptions, "log" | "clock"> & { readonly patienceMs: number }) {
  let seen: string | undefined;
  let movedMs = clock.monotonicMs();
  return {
    look: ([current]: readonly MigrationDocument[]): void => {
      const { version, name, holder, done, total } = current ?? {};
      const now = JSON.stringify([version, holder, done]);
      if (now !== seen) {
        log.info(
          { migration: version, name, by: holder, done, total },
          "waiting while another process migrates the database",
        );
        seen = now;
        movedMs = clock.monotonicMs();
      } else if (clock.monotonicMs() - movedMs > patienceMs) {
        throw new StartupError(
          `Another process (${holder}) is migrating the database and has made no progress for ` +
            `${Math.round(patienceMs / 1000)} s. Check its log, or end it and start this process again.`,
        );
      }
    },
  };
}

function newerDatabase(version: number, maker: string, newest: number, program: string): StartupError {
  return new StartupError(
    `The database is newer than this program. Hermod ${maker} created its schema version ${version}, and this ` +
      `Hermod ${program} supports versions up to ${newest}. Nothing was changed. Start Hermod ${maker} or later, or ` +
      "restore a backup from before the upgrade.",
  );
}

function notAlone({ version, name }: Migration, processes: readonly string[]): StartupError {
  return new StartupError(
    `The database must first be migrated to version ${version} (${name}), but these processes of an earlier release ` +
      `are still running: ${processes.join(", ")}. End them, and start this process again.`,
  );
}

function endedMeanwhile(): StartupError {
  return new StartupError(
    "The process was stopped during a database migration. The next start continues it.",
  );
}
