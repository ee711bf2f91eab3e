import type { ClientSession, Db } from "mongodb";
import { newId } from "../../shared/ids.ts";
import { type JournalResource, journalCollections } from "./journal-documents.ts";

/** Not a run of a process, so nothing is searched for it. */
export const RESOURCE_WRITER = "resources";

export type NoteResource = ReturnType<typeof createNoteResource>;

/**
 * Records in the journal that a resource has changed, for open event streams, in the transaction of the change. Like
 * all journal documents, it is kept for an hour.
 */
export function createNoteResource(db: Db) {
  const { journal } = journalCollections(db);
  return async (session: ClientSession, resource: JournalResource): Promise<void> => {
    const at = new Date();
    const { accountId } = resource;
    const note = { _id: newId("jnl", at), writer: RESOURCE_WRITER, at, accountId, entries: [] };
    await journal.insertOne({ ...note, resources: [resource] }, { session });
  };
}
