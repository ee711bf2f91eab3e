import type { Db } from "mongodb";
import { guarded } from "../store-fault.ts";

/**
 * Checks whether all data has the form of a schema version. A database that was created with it or later has no record of the
 * migration. It is read from the store only until it is done.
 * @returns a function that rejects with store.unavailable
 */
export function createIsMigrated(db: Db, version: number): () => Promise<boolean> {
  const schema = db.collection<{ readonly _id: string; readonly state?: string }>("schema");
  let isDone = false;
  return async () => {
    if (isDone) return true;
    const migration = await guarded(schema.findOne({ _id: `migration.${version}` }));
    isDone = migration === null || migration.state === "done";
    return isDone;
  };
}
