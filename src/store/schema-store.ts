import type { Db } from "mongodb";
import type { WorkerDocument } from "./documents.ts";
import { readEachById } from "./read-each.ts";
import { guarded, isDuplicateKey, storeFault } from "./store-fault.ts";
import { isHonoured, later, mayTake, type StoreNow, storeNow } from "./store-time.ts";

export type SchemaStore = ReturnType<typeof createSchemaStore>;

/** Schema version of the database. */
export interface SchemaDocument {
  readonly _id: string;
  readonly version: number;
  /** Hermod release that created this version. */
  readonly program: string;
  /** Minimum schema version of processes: older ones have to end. Missing: all may continue. */
  readonly oldest?: number;
}

/** A process that uses the database. */
export interface ProcessDocument {
  readonly _id: string;
  /** Newest schema version that its program supports. */
  readonly schema: number;
  /** The release of Hermod. */
  readonly program: string;
  readonly roles: readonly string[];
  readonly expiresAt: Date;
}

/**
 * - `waiting`: a background migration that was not started
 * - `running`: started by the process in `holder`
 * - `done`
 */
export type MigrationState = "waiting" | "running" | "done";

/** Progress of a migration. Missing: it is done, or the database is older than it. */
export interface MigrationDocument {
  readonly _id: string;
  readonly version: number;
  readonly name: string;
  readonly background: boolean;
  readonly state: MigrationState;
  /** The process that runs it, or ran it last: only this process may write here. */
  readonly holder?: string;
  readonly cursor?: unknown;
  readonly done: number;
  readonly total?: number;
  readonly startedAt?: Date;
  readonly finishedAt?: Date;
  /** Why its last run failed. Missing: it did not. */
  readonly failure?: string;
}

interface LeaseDocument {
  readonly _id: string;
  readonly holder: string;
  readonly expiresAt: Date;
}

/** A process without a heartbeat for this long, by the store's clock, has ended. */
export const PROCESS_LEASE_MS = 20_000;
/** Upper bound of the workers' own leases. */
const WORKER_LEASE_MAX_MS = 60_000;
const SCHEMA = "version";
const LEASE = "lease";
const migrationId = (version: number) => `migration.${version}`;
/** The collection of `withNamedLock`, which always exists first. */
const LOCKS = "installation";

/**
 * Schema version, migration lease and progress: the few documents of one collection.
 * @param now the store's clock; tests replace it
 */
export function createSchemaStore(db: Db, now: StoreNow = storeNow) {
  const schema = db.collection<SchemaDocument>("schema");
  const leases = db.collection<LeaseDocument>("schema");
  const migrations = db.collection<MigrationDocument>("schema");
  const processes = db.collection<ProcessDocument>("processes");
  const workers = db.collection<WorkerDocument>("workers");

  return {
    /** Null: no program has recorded it. */
    read: (): Promise<SchemaDocument | null> => guarded(schema.findOne({ _id: SCHEMA })),

    /** True: a release has created a collection here. */
    async isUsed(): Promise<boolean> {
      const collections = await guarded(db.listCollections({}, { nameOnly: true }).toArray());
      return collections.some(({ name }) => name !== LOCKS);
    },

    /**
     * Records the version of a database without a record.
     * @returns the recorded version, which may be that of another process
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

    /** Raises the recorded version of the database. A higher one stays. */
    async raise(version: number, program: string): Promise<void> {
      await guarded(
        schema.updateOne({ _id: SCHEMA, version: { $lt: version } }, { $set: { version, program } }),
      );
    },

    /** Requires that processes with an older schema version end. */
    async raiseOldest(oldest: number): Promise<void> {
      await guarded(schema.updateOne({ _id: SCHEMA }, { $max: { oldest } }));
    },

    /** Registers this process as a user of the database. The call must be repeated before it expires. */
    async announce(process: Omit<ProcessDocument, "expiresAt">): Promise<void> {
      const { _id, ...fields } = process;
      const change = { ...literals(fields), expiresAt: later(now(), PROCESS_LEASE_MS) };
      await guarded(processes.updateOne({ _id }, [{ $set: change }], { upsert: true }));
    },

    async withdraw(id: string): Promise<void> {
      await guarded(processes.deleteOne({ _id: id }));
    },

    /** The processes that use the database. */
    async listProcesses(): Promise<ProcessDocument[]> {
      const $expr = isHonoured("$expiresAt", now(), PROCESS_LEASE_MS);
      const { documents } = await readEachById<ProcessDocument>({
        find: (only, options) => processes.find({ ...only, $expr }, options).sort({ _id: 1 }),
        findAll: (options) => processes.find({}, options),
      });
      return documents;
    },

    /** Workers of releases without process announcements, which are otherwise invisible. */
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
     * Takes the migration lease if it is free, has expired, or already belongs to this holder, which extends it.
     * @returns the current holder
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
        // Another process has just created it.
        if (isDuplicateKey(error)) return undefined;
        throw storeFault(error);
      }
    },

    async release(holder: string): Promise<void> {
      await guarded(leases.updateOne({ _id: LEASE, holder }, { $set: { expiresAt: new Date(0) } }));
    },

    /** The started and waiting migrations, in order. */
    listMigrations: (): Promise<MigrationDocument[]> =>
      guarded(
        migrations
          .find({ _id: { $gte: "migration.", $lt: "migration/" } })
          .toArray()
          .then((found) => found.sort((a, b) => a.version - b.version)),
      ),

    /** Records a migration to run later. An existing record stays unchanged. */
    async addMigration(migration: Pick<MigrationDocument, "version" | "name" | "background">): Promise<void> {
      const { version, name, background } = migration;
      const fields = { version, name, background, state: "waiting", done: 0 } as const;
      await guarded(
        migrations.updateOne({ _id: migrationId(version) }, { $setOnInsert: fields }, { upsert: true }),
      );
    },

    /** Starts or continues a migration: from now on only this holder can write its progress. */
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

    /** @returns false: another process has started it since */
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

/** Values that are never interpreted as expressions in an update. */
function literals(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { $literal: value }]));
}
