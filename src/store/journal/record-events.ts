import type { ClientSession, Collection, Db, OptionalUnlessRequiredId } from "mongodb";
import type { EventLog } from "../event-log.ts";
import { insertMissing } from "../insert-missing.ts";
import { type EventPageDocument, eventPagesOf, packPages } from "./event-pages.ts";
import type { JournalDocument, JournalEntry } from "./journal-documents.ts";

/** Stored events that are recorded once. They stay the same until the outcome of that is known. */
export interface EventRecord {
  readonly isEmpty: boolean;
  /** Writes the documents that name the events. Without a session, a repetition writes nothing twice. */
  write(session?: ClientSession): Promise<void>;
  /** For the transaction in which these documents become valid. */
  conclude(session: ClientSession): Promise<void>;
}

/** @param head creates the fields of the next document */
export type RecordEvents = (
  happened: readonly JournalEntry[],
  head: () => Pick<EventPageDocument, "_id" | "writer" | "fold" | "at">,
) => EventRecord;

/** Records events as pages that wait for their place in the event log. */
export function createRecordEvents(db: Db, { addPages }: Pick<EventLog, "addPages">): RecordEvents {
  const collection = eventPagesOf(db);
  return (happened, head) => {
    const pages = packPages(happened, head);
    return {
      isEmpty: pages.length === 0,
      write: (session) => writeNamed(collection, pages, session),
      conclude: (session) => addPages(session, pages),
    };
  };
}

/** Writes documents with new ids. */
export async function writeNamed<D extends EventPageDocument | JournalDocument>(
  collection: Collection<D>,
  documents: readonly OptionalUnlessRequiredId<D>[],
  session: ClientSession | undefined,
): Promise<void> {
  if (!session) await insertMissing(collection, documents);
  else if (documents.length > 0) await collection.insertMany([...documents], { session });
}
