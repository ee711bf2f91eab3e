import { type Db, MongoServerError } from "mongodb";

/** MongoDB's codes for an index and a collection that do not exist. */
const NO_SUCH_INDEX = [26, 27];

/** Removes an index if it exists. */
export async function dropIndex(db: Db, collection: string, name: string): Promise<void> {
  try {
    await db.collection(collection).dropIndex(name);
  } catch (error) {
    if (!(error instanceof MongoServerError) || !NO_SUCH_INDEX.includes(Number(error.code))) throw error;
  }
}
