import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "mongodb";
import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/logger.ts";
import { StartupError } from "../../shared/startup-error.ts";
import { inTurn } from "../in-turn.ts";
import { createSchemaStore, type MigrationDocument, type SchemaDocument } from "../schema-store.ts";
import type { Migration } from "./migration.ts";
import { FIRST_SCHEMA_VERSION, newestOf } from "./migrations.ts";
import { type Lease, runMigration } from "./run-migration.ts";

/*
 * Migrations, an overview.
 *
 * The database notes the version of its schema, and each migration that was begun, with its progress. `prepare` compares
 *   that with what the program knows, before any role serves:
 *   newer    the start is refused, and nothing was written
 *   no note  a database without collections gets the newest version at once; any other one is of the first version
 *   older    under the lease, migrations that are not in the background are run, in order; those in the background that
 *            stand before one of them, too. Those after the last of them are noted as waiting, and the version is raised.
 * `work` runs what waits, under the lease again, while roles serve; what is to run alone, when no earlier program does.
 *
 * Processes. Each announces itself with the version that it knows, and looks at the note again and again (`presence.ts`). Before a
 *   migration that is to run alone begins, the note demands that version of everybody: a process that was not seen,
 *   since it stood still, ends when it goes on.
 *
 * Lease. One document names who migrates; it runs out by the store's clock. Its holder prolongs it all the time, and stops,
 *   by its own monotonic clock, before it can have run out. Whoever does not get it waits, and tells how far the holder is.
 *   Progress is written under the holder's name: after another one has begun, it is refused to the former one.
 */

/** A lease that is not prolonged runs out after this, by the store's clock. */
const LEASE_MS = 10_000;
/** How often whoever waits looks how far it is. */
const LOOK_MS = 1_000;
/** Whoever waits gives up when nothing has moved for so long. */
const PATIENCE_MS = 5 * 60_000;

export interface MigratorOptions {
  readonly db: Db;
  readonly migrations: readonly Migration[];
  /** Names this process, to others and in the log. */
  readonly holder: string;
  /** The release of the program, for people. */
  readonly program: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the process is told to end. */
  readonly signal: AbortSignal;
  readonly leaseMs?: number;
  readonly lookMs?: number;
  readonly patienceMs?: number;
}

export interface Migrator {
  /**
   * Brings the database to the version of this program as far as it must be before a role serves.
   * @throws StartupError in words, when it is newer, a migration fails, or another process makes no progress with it
   * @throws Fault store.unavailable
   */
  prepare(): Promise<void>;
  /**
   * Runs what is left for the background, unless another process does.
   * @returns how many are left; 0: none, now and ever
   * @throws what a migration throws; it goes on in the next turn
   */
  work(): Promise<number>;
}

export function createMigrator(options: MigratorOptions): Migrator {
  const { db, migrations, holder, program, clock, log, signal } = options;
  const { leaseMs = LEASE_MS, lookMs = LOOK_MS, patienceMs = PATIENCE_MS } = options;
  const store = createSchemaStore(db);
  const newest = newestOf(migrations);
  /** The processes that were said to be in the way last. */
  let toldOf = "";

  async function readOrNote(): Promise<SchemaDocument> {
    const noted = await store.read();
    if (noted) return noted;
    const version = (await store.isUsed()) ? FIRST_SCHEMA_VERSION : newest;
    return inTurn(db, "schema", () => store.note(version, program));
  }

  /** The migrations of the list that are not done, in order. */
  async function unfinished(version: number): Promise<readonly Migration[]> {
    const known = new Map((await store.listMigrations()).map((one) => [one.version, one]));
    return migrations.filter((migration) => {
      const noted = known.get(migration.version);
      return noted ? noted.state !== "done" : migration.version > version;
    });
  }

  /** The migrations that must be done before a role serves: up to the last that is not for the background. */
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

  /** Needs no lease: whoever does it too does the same. */
  async function noteOthers(version: number): Promise<void> {
    for (const migration of await unfinished(version)) await store.addMigration(migration);
    await store.raise(newest, program);
  }

  /** The processes whose program knows no version as late as this. */
  async function earlier(version: number): Promise<string[]> {
    const processes = (await store.listProcesses()).filter((process) => process.schema < version);
    return [...processes.map(({ _id }) => _id), ...(await store.listUnannounced())];
  }

  /** True: nobody is in the way of the migration, and from now on nobody can be. */
  async function isAlone({ version, alone }: Migration): Promise<boolean> {
    if (!alone) return true;
    let others = await earlier(version);
    if (others.length === 0) {
      await store.raiseOldest(version);
      // A process that has announced itself in between finds the demand, and ends.
      others = await earlier(version);
      if (others.length === 0) return true;
    }
    if (others.join() !== toldOf)
      log.info({ migration: version, processes: others }, "waits for earlier programs to end");
    toldOf = others.join();
    return false;
  }

  const run = (migration: Migration, lease: Lease) =>
    runMigration(migration, { db, store, holder, clock, log, lease });

  /**
   * Runs `task` under the lease, which is prolonged meanwhile.
   * @returns false: another process has it, or got it in between
   */
  async function underLease(task: (lease: Lease) => Promise<void>): Promise<boolean> {
    const lost = new AbortController();
    const lose = (reason: string) => lost.abort(new Error(reason));
    let askedMs = clock.monotonicMs();
    if ((await store.take(holder, leaseMs)) !== holder) return false;
    let heldUntilMs = askedMs + leaseMs * 0.7;
    let prolonging: Promise<void> | undefined;
    const timer = setInterval(() => {
      if (clock.monotonicMs() >= heldUntilMs) lose("the lease has run out");
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
      log.warn({ err: error }, "the lease of the migrations was lost: another process may go on with them");
      return false;
    } finally {
      clearInterval(timer);
      await prolonging;
      // A lease that cannot be given back runs out.
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
        await sleep(lookMs, undefined, { signal }).catch(() => {
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

/** The patience of a process that waits for another one: it logs each step, and gives up when none comes. */
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
          "waits while another process migrates the database",
        );
        seen = now;
        movedMs = clock.monotonicMs();
      } else if (clock.monotonicMs() - movedMs > patienceMs) {
        throw new StartupError(
          `The database is being migrated by another process (${holder}), which has made no progress for ` +
            `${Math.round(patienceMs / 1000)} s: look at its log, or end it and start this one again.`,
        );
      }
    },
  };
}

function newerDatabase(version: number, maker: string, newest: number, program: string): StartupError {
  return new StartupError(
    `The database is newer than this program: its schema has version ${version}, made by Hermod ${maker}, and this ` +
      `Hermod ${program} knows versions up to ${newest}. Nothing was changed. Start Hermod ${maker} or a later one, or put ` +
      "back a backup from before the upgrade.",
  );
}

function notAlone({ version, name }: Migration, processes: readonly string[]): StartupError {
  return new StartupError(
    `The database has to be migrated to version ${version} (${name}) first, and these processes of an earlier release ` +
      `still run: ${processes.join(", ")}. End them, and start this one again.`,
  );
}

function endedMeanwhile(): StartupError {
  return new StartupError("Told to end while the database was migrated: the next start goes on with it.");
}
