import type { Db } from "mongodb";
import { guarded } from "../store-fault.ts";

/**
 * Checks whether all data has the form of a schema version. A database that was created with it or later has no record of the
 * migration. It is read from the store only until it is done.
 * @returns a function that rejects with store.unavailable
 */
export function createIsMigrated(db: Db, version: number): () => Promise<boolean> {
  const migratedAt = createMigratedAt(db, version);
  return async () => (await migratedAt()) !== undefined;
}

/**
 * As `createIsMigrated`, with the time at which the migration ended, by the clock of the process that ran it, or the time 0 for a
 * database that was created later. Undefined: it has not ended.
 */
export function createMigratedAt(db: Db, version: number): () => Promise<Date | undefined> {
  const schema = db.collection<{ readonly _id: string; readonly state?: string; readonly finishedAt?: Date }>(
    "schema",
  );
  let at: Date | undefined;
  return async () => {
    if (at) return at;
    const migration = await guarded(schema.findOne({ _id: `migration.${version}` }));
    if (migration === null) at = new Date(0);
    else if (migration.state === "done") at = migration.finishedAt ?? new Date(0);
    return at;
  };
}
