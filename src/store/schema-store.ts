import type { Db } from "mongodb";
import type { WorkerDocument } from "./documents.ts";
import { readEachById } from "./read-each.ts";
import { guarded, isDuplicateKey, storeFault } from "./store-fault.ts";
import { isHonoured, later, mayTake, type StoreNow, storeNow } from "./store-time.ts";

export type SchemaStore = ReturnType<typeof createSchemaStore>;

/** Which version of the schema the database has. */
export interface SchemaDocument {
  readonly _id: string;
  readonly version: number;
  /** The release of Hermod that has made this version of it. */
  readonly program: string;
  /** Processes whose program knows no version as late as this have to end; missing: all may go on. */
  readonly oldest?: number;
}

/** A process that has the database open. */
export interface ProcessDocument {
  readonly _id: string;
  /** The newest version of the schema that its program knows. */
  readonly schema: number;
  /** The release of Hermod. */
  readonly program: string;
  readonly roles: readonly string[];
  readonly expiresAt: Date;
}

/**
 * - `waiting`: it is a background one, and was not begun
 * - `running`: it was begun, by the process in `holder`
 * - `done`
 */
export type MigrationState = "waiting" | "running" | "done";

/** How far a migration has come; missing: it is done, or the database is older than it. */
export interface MigrationDocument {
  readonly _id: string;
  readonly version: number;
  readonly name: string;
  readonly background: boolean;
  readonly state: MigrationState;
  /** The process that runs it, or ran it last: only that one may write here. */
  readonly holder?: string;
  readonly cursor?: unknown;
  readonly done: number;
  readonly total?: number;
  readonly startedAt?: Date;
  readonly finishedAt?: Date;
  /** Why its last run has failed; missing: it has not. */
  readonly failure?: string;
}

interface LeaseDocument {
  readonly _id: string;
  readonly holder: string;
  readonly expiresAt: Date;
}

/** A process that has not been heard of for so long, by the store's clock, has ended. */
export const PROCESS_LEASE_MS = 20_000;
/** Workers' own leases are shorter. */
const WORKER_LEASE_MAX_MS = 60_000;
const SCHEMA = "version";
const LEASE = "lease";
const migrationId = (version: number) => `migration.${version}`;
/** The collection of `inTurn`, which exists before anything else. */
const TURNS = "installation";

/**
 * The version of the schema, who may change it, and how far that is: the few documents of one collection.
 * @param now the store's clock; tests put another one in its place
 */
export function createSchemaStore(db: Db, now: StoreNow = storeNow) {
  const schema = db.collection<SchemaDocument>("schema");
  const leases = db.collection<LeaseDocument>("schema");
  const migrations = db.collection<MigrationDocument>("schema");
  const processes = db.collection<ProcessDocument>("processes");
  const workers = db.collection<WorkerDocument>("workers");

  return {
    /** Null: no program has noted it. */
    read: (): Promise<SchemaDocument | null> => guarded(schema.findOne({ _id: SCHEMA })),

    /** True: some release has made a collection here. */
    async isUsed(): Promise<boolean> {
      const collections = await guarded(db.listCollections({}, { nameOnly: true }).toArray());
      return collections.some(({ name }) => name !== TURNS);
    },

    /**
     * Notes the version of a database that has no note of it.
     * @returns what it has, which may be another process's note
     */
    async note(version: number, program: string): Promise<SchemaDocument> {
      const noted = await guarded(
        schema.findOneAndUpdate(
          { _id: SCHEMA },
          { $setOnInsert: { version, program } },
          { upsert: true, returnDocument: "after" },
        ),
      );
      if (!noted) throw new Error("an upsert left no document");
      return noted;
    },

    /** Notes that the database has this version now; one that it has already stays. */
    async raise(version: number, program: string): Promise<void> {
      await guarded(
        schema.updateOne({ _id: SCHEMA, version: { $lt: version } }, { $set: { version, program } }),
      );
    },

    /** Demands that processes end whose program knows no version as late as this. */
    async raiseOldest(oldest: number): Promise<void> {
      await guarded(schema.updateOne({ _id: SCHEMA }, { $max: { oldest } }));
    },

    /** Says that this process has the database open; to be repeated before its time runs out. */
    async announce(process: Omit<ProcessDocument, "expiresAt">): Promise<void> {
      const { _id, ...fields } = process;
      const change = { ...literals(fields), expiresAt: later(now(), PROCESS_LEASE_MS) };
      await guarded(processes.updateOne({ _id }, [{ $set: change }], { upsert: true }));
    },

    async withdraw(id: string): Promise<void> {
      await guarded(processes.deleteOne({ _id: id }));
    },

    /** The processes that have the database open. */
    async listProcesses(): Promise<ProcessDocument[]> {
      const $expr = isHonoured("$expiresAt", now(), PROCESS_LEASE_MS);
      const { documents } = await readEachById<ProcessDocument>({
        find: (only, options) => processes.find({ ...only, $expr }, options).sort({ _id: 1 }),
        findAll: (options) => processes.find({}, options),
      });
      return documents;
    },

    /** Workers of releases that announced no processes, of which nothing else can be seen. */
    async listUnannounced(): Promise<string[]> {
      const live = {
        $expr: isHonoured("$expiresAt", now(), WORKER_LEASE_MAX_MS),
        announced: { $exists: false },
      };
      const { documents } = await readEachById<{ readonly _id: string }>({
        find: (only, options) => workers.find({ ...only, ...live }, { projection: { _id: 1 }, ...options }),
        findAll: (options) => workers.find({}, options),
      });
      return documents.map(({ _id }) => _id);
    },

    /**
     * Takes the lease of whoever migrates, where it is free, has run out, or is this holder's: then it is prolonged.
     * @returns who has it
     */
    async take(holder: string, leaseMs: number): Promise<string | undefined> {
      const moment = now();
      const own = { $literal: holder };
      const may = mayTake("$holder", own, moment, leaseMs);
      const change = {
        holder: { $cond: [may, own, "$holder"] },
        expiresAt: { $cond: [may, later(moment, leaseMs), "$expiresAt"] },
      };
      try {
        const lease = await leases.findOneAndUpdate({ _id: LEASE }, [{ $set: change }], {
          upsert: true,
          returnDocument: "after",
        });
        return lease?.holder;
      } catch (error) {
        // Another one has made it in this moment.
        if (isDuplicateKey(error)) return undefined;
        throw storeFault(error);
      }
    },

    async release(holder: string): Promise<void> {
      await guarded(leases.updateOne({ _id: LEASE, holder }, { $set: { expiresAt: new Date(0) } }));
    },

    /** The migrations that were begun or wait to be, in order. */
    listMigrations: (): Promise<MigrationDocument[]> =>
      guarded(
        migrations
          .find({ _id: { $gte: "migration.", $lt: "migration/" } })
          .toArray()
          .then((found) => found.sort((a, b) => a.version - b.version)),
      ),

    /** Notes a migration that is to be run later; one that is noted stays as it is. */
    async addMigration(migration: Pick<MigrationDocument, "version" | "name" | "background">): Promise<void> {
      const { version, name, background } = migration;
      const fields = { version, name, background, state: "waiting", done: 0 } as const;
      await guarded(
        migrations.updateOne({ _id: migrationId(version) }, { $setOnInsert: fields }, { upsert: true }),
      );
    },

    /** Begins a migration, or goes on with it: from now on only this holder can write how far it is. */
    async beginMigration(version: number, holder: string, at: Date): Promise<MigrationDocument> {
      const begun = await guarded(
        migrations.findOneAndUpdate(
          { _id: migrationId(version) },
          { $set: { state: "running", holder, startedAt: at }, $unset: { failure: "" } },
          { returnDocument: "after" },
        ),
      );
      if (!begun) throw new Error(`the migration ${version} is not recorded`);
      return begun;
    },

    /** @returns false: another process has begun it since */
    async changeMigration(
      version: number,
      holder: string,
      change: Partial<
        Pick<MigrationDocument, "cursor" | "done" | "total" | "state" | "finishedAt" | "failure">
      >,
    ): Promise<boolean> {
      const { matchedCount } = await guarded(
        migrations.updateOne({ _id: migrationId(version), holder }, { $set: change }),
      );
      return matchedCount === 1;
    },
  };
}

/** Values as they stand, in an update that computes. */
function literals(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { $literal: value }]));
}
