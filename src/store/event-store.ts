import type { Db } from "mongodb";
import { bucketOf } from "../shared/ids.ts";
import { NO_BUCKET } from "./bucket.ts";
import { insertMissing } from "./insert-missing.ts";
import { entryOfEvent, type NewEvent } from "./journal/journal-documents.ts";
import type { Announcement, JournalWriter } from "./journal/journal-writer.ts";
import type { EventDocument } from "./message-documents.ts";
import { guarded } from "./store-fault.ts";
import { everybodys, type OfAccount, type Whose } from "./whose.ts";

/** `message.attempt.kind`: the same event has the same id however often it is written. */
export function eventId(messageId: string, attempt: number, kind: string): string {
  return `${messageId}.${attempt}.${kind}`;
}

export function createEventStore(db: Db, journal: Pick<JournalWriter, "announce">) {
  const events = db.collection<EventDocument>("events");

  const announce = (documents: readonly NewEvent[]) =>
    journal.announce(
      documents.map((event) => ({
        entry: entryOfEvent(event),
        keptMs: event.expireAt.getTime() - event.at.getTime(),
      })),
    );

  async function insert(documents: readonly NewEvent[], announced = announce(documents)): Promise<void> {
    try {
      await announced.written;
      const stored = documents.map(({ about: _, ...event }) => {
        const { _id, messageId } = event;
        return { ...event, bucket: bucketOf(messageId), journal: announced.journalOf(_id) };
      });
      // From here on nobody can say that it was not stored, unless the store does.
      const present = insertMissing(events, stored).catch((error) => {
        announced.settle("doubt");
        throw error;
      });
      const former = await present;
      announced.settle((id) => !former.has(id));
    } finally {
      announced.settle(() => false);
    }
  }

  function listOfMessage(messageId: string, whose: Whose): Promise<EventDocument[]> {
    return guarded(
      events
        .find({ ...eventsOfMessage(messageId), ...whose })
        .sort({ at: 1 })
        .toArray(),
    );
  }

  return {
    forAccount: (accountId: string) => ({
      /** Writes those that are not there yet. */
      insertMissing: (documents: readonly OfAccount<NewEvent>[]) =>
        insert(documents.map((event) => ({ ...event, accountId }))),

      /** Oldest first. */
      listOfMessage: (messageId: string) => listOfMessage(messageId, { accountId }),
    }),

    acrossAccounts: {
      /**
       * Begins to tell the journal of events that are about to be written, in parallel with whatever else comes before them:
       * they are given to `insertMissing` then, or the announcement is settled.
       */
      announce,

      /**
       * Writes those that are not there yet.
       * @param announced missing: they are announced first
       */
      insertMissing: (documents: readonly NewEvent[], announced?: Announcement) =>
        insert(documents, announced),

      /** Oldest first. What tells of a message whose account could not be read is in nobody's own list. */
      listOfMessage: (messageId: string) => listOfMessage(messageId, everybodys),
    },
  };
}

/** Which events tell of a message. Ids begin with the message's: an index of its own would cost a write for each event. */
export function eventsOfMessage(messageId: string) {
  return {
    _id: { $gte: `${messageId}.`, $lt: `${messageId}/` },
    // Those of an early release have no bucket until they are migrated.
    bucket: { $in: [bucketOf(messageId), NO_BUCKET] },
  };
}
