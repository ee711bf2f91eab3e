import type { Db } from "mongodb";
import { bucketOf } from "../shared/ids.ts";
import { NO_BUCKET } from "./bucket.ts";
import { insertMissing } from "./insert-missing.ts";
import { entryOfEvent, type NewEvent } from "./journal/journal-documents.ts";
import type { Announcement, JournalWriter } from "./journal/journal-writer.ts";
import { createFindLastReplies } from "./last-replies.ts";
import type { EventDocument, MessageDocument } from "./message-documents.ts";
import type { OrderedUpdate } from "./ordered-write.ts";
import { everybodys, type OfAccount, type Owner } from "./owner.ts";
import { guarded } from "./store-fault.ts";
import type { WriteInOrder } from "./write-in-order.ts";

/** `message.attempt.kind`: an event keeps its id when it is written again. */
export function eventId(messageId: string, attempt: number, kind: string): string {
  return `${messageId}.${attempt}.${kind}`;
}

export type EventStore = ReturnType<typeof createEventStore>;

interface Insertion {
  /** Ids of the events that existed already. */
  readonly present: ReadonlySet<unknown>;
  /** Number of documents that the following updates have matched. Missing: the updates are still pending. */
  readonly matched?: number;
}

export function createEventStore(db: Db, journal: Pick<JournalWriter, "announce">, inOrder: WriteInOrder) {
  const events = db.collection<EventDocument>("events");
  const findLastReplies = createFindLastReplies(events);

  const announce = (documents: readonly NewEvent[]) =>
    journal.announce(
      documents.map((event) => ({
        entry: entryOfEvent(event),
        keptMs: event.expireAt.getTime() - event.at.getTime(),
      })),
    );

  /** Writes events after their announcement in the journal, and reports the new ones to it. */
  async function insert(
    documents: readonly NewEvent[],
    announced = announce(documents),
    write: (stored: readonly EventDocument[]) => Promise<Insertion> = writeMissing,
  ): Promise<Insertion> {
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
  }

  async function writeMissing(stored: readonly EventDocument[]): Promise<Insertion> {
    return { present: await insertMissing(events, stored) };
  }

  async function writeBefore(
    updates: readonly OrderedUpdate[],
    stored: readonly EventDocument[],
  ): Promise<Insertion> {
    const inserts = stored.map((document) => ({ collection: events.collectionName, document }));
    const { matched, refused } = await inOrder.write([...inserts, ...updates]);
    if (!refused) return { present: new Set(), matched };
    // An event existed already, or an update failed. Report it, and continue with the others.
    return writeMissing(stored.slice(refused.position));
  }

  function listOfMessage(messageId: string, owner: Owner): Promise<EventDocument[]> {
    return guarded(
      events
        .find({ ...eventsOfMessage(messageId), ...owner })
        .sort({ at: 1 })
        .toArray(),
    );
  }

  return {
    /**
     * Writes the missing events, followed by updates of their messages: in one command if the server supports it and
     * nothing fails.
     * @returns the number of documents that the updates matched; undefined: all events exist, and the updates are
     * still pending, though some may be done
     * @throws Fault store.unavailable
     */
    async insertBefore(
      updates: readonly OrderedUpdate[],
      documents: readonly NewEvent[],
      announced: Announcement,
    ): Promise<number | undefined> {
      const isSpoken = await inOrder.isSpoken();
      const write = isSpoken ? writeBefore.bind(undefined, updates) : writeMissing;
      return (await insert(documents, announced, write)).matched;
    },

    forAccount: (accountId: string) => ({
      /** Writes the missing events. */
      async insertMissing(documents: readonly OfAccount<NewEvent>[]): Promise<void> {
        await insert(documents.map((event) => ({ ...event, accountId })));
      },

      /** Oldest first. */
      listOfMessage: (messageId: string) => listOfMessage(messageId, { accountId }),

      /** By message id. Messages without an attempt have none. */
      lastReplies: (messages: readonly Pick<MessageDocument, "_id" | "state" | "attempts">[]) =>
        findLastReplies(messages, { accountId }),
    }),

    acrossAccounts: {
      /**
       * Starts the announcement of future events in the journal, in parallel with preceding work. Later pass the
       * events to `insertMissing`, or settle the announcement.
       */
      announce,

      /**
       * Writes the missing events.
       * @param announced missing: they are announced first
       */
      async insertMissing(documents: readonly NewEvent[], announced?: Announcement): Promise<void> {
        await insert(documents, announced);
      },

      /** Oldest first. An event of a message with an unreadable account is in no account's list. */
      listOfMessage: (messageId: string) => listOfMessage(messageId, everybodys),

      /** As `lastReplies` of an account. */
      lastReplies: (messages: readonly Pick<MessageDocument, "_id" | "state" | "attempts">[]) =>
        findLastReplies(messages, everybodys),
    },
  };
}

/**
 * Filter for the events of a message. Ids begin with the message's id: a separate index would cost a write for each
 * event.
 */
export function eventsOfMessage(messageId: string) {
  return {
    _id: { $gte: `${messageId}.`, $lt: `${messageId}/` },
    // Events of an early release have no bucket until they are migrated.
    bucket: { $in: [bucketOf(messageId), NO_BUCKET] },
  };
}
