import type { Db } from "mongodb";
import { bucketOf } from "../shared/ids.ts";
import { insertMissing } from "./insert-missing.ts";
import { entryOfEvent, type NewEvent } from "./journal/journal-documents.ts";
import type { Announcement, AnnounceOptions, JournalWriter } from "./journal/journal-writer.ts";
import type { EventDocument } from "./message-documents.ts";

/** Result of an insertion of events. */
export interface Insertion {
  /** Ids of the events that were not stored, because they existed or must not exist. */
  readonly present: ReadonlySet<unknown>;
}

export type EventWriter = ReturnType<typeof createEventWriter>;

/** Stores events after their announcement in the journal, and reports the new ones to it. */
export function createEventWriter(db: Db, journal: Pick<JournalWriter, "announce">) {
  const events = db.collection<EventDocument>("events");

  async function writeMissing(stored: readonly EventDocument[]): Promise<Insertion> {
    return { present: await insertMissing(events, stored) };
  }

  return {
    writeMissing,

    announce: (documents: readonly NewEvent[], options?: AnnounceOptions) =>
      journal.announce(
        documents.map((event) => ({
          entry: entryOfEvent(event),
          keptMs: event.expireAt.getTime() - event.at.getTime(),
        })),
        options,
      ),

    /** @param write its rejection leaves the outcome unknown */
    async insert<I extends Insertion>(
      documents: readonly NewEvent[],
      announced: Announcement,
      write: (stored: readonly EventDocument[]) => Promise<I>,
    ): Promise<I> {
      try {
        await announced.written;
        const stored = documents.map(({ about: _, ...event }) => {
          const { _id, messageId } = event;
          return { ...event, bucket: bucketOf(messageId), journal: announced.journalOf(_id) };
        });
        // From here on the outcome is unknown unless the store confirms a failure.
        const inserting = write(stored).catch((error) => {
          announced.settle("doubt");
          throw error;
        });
        const insertion = await inserting;
        announced.settle((id) => !insertion.present.has(id));
        return insertion;
      } finally {
        announced.settle(() => false);
      }
    },
  };
}
