import { type Collection, type Document, MongoBulkWriteError, type OptionalUnlessRequiredId } from "mongodb";
import { DUPLICATE_KEY, storeFault } from "./store-fault.ts";

/**
 * Inserts the documents with new ids. A repetition after a crash changes nothing.
 * @returns the ids that existed
 * @throws Fault store.unavailable
 */
export async function insertMissing<T extends Document>(
  collection: Collection<T>,
  documents: readonly OptionalUnlessRequiredId<T>[],
): Promise<Set<unknown>> {
  const present = new Set<unknown>();
  if (documents.length === 0) return present;
  try {
    await collection.insertMany([...documents], { ordered: false });
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError())
      throw storeFault(error);
    const errors = [error.writeErrors].flat();
    if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw storeFault(error);
    for (const { index } of errors) present.add(documents[index]?._id);
  }
  return present;
}
