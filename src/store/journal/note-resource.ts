import type { ClientSession, Db } from "mongodb";
import { newId } from "../../shared/ids.ts";
import { type JournalResource, journalCollections } from "./journal-documents.ts";

/** No run of a process: nothing is looked for that it has left. */
const WRITER = "resources";

export type NoteResource = ReturnType<typeof createNoteResource>;

/**
 * Notes in the journal that a resource has changed, for open streams of events, in the transaction that changes it. The journal
 * keeps the note for an hour, as everything else in it.
 */
export function createNoteResource(db: Db) {
  const { journal } = journalCollections(db);
  return async (session: ClientSession, resource: JournalResource): Promise<void> => {
    const at = new Date();
    const { accountId } = resource;
    const note = { _id: newId("jnl", at), writer: WRITER, at, accountId, entries: [], resources: [resource] };
    await journal.insertOne(note, { session });
  };
}
