import type { Db } from "mongodb";
import { bucketOf } from "../shared/ids.ts";
import { NO_BUCKET } from "./bucket.ts";
import { insertMissing } from "./insert-missing.ts";
import { entryOfEvent, type NewEvent } from "./journal/journal-documents.ts";
import type { Announcement, JournalWriter } from "./journal/journal-writer.ts";
import { createFindLastReplies } from "./last-replies.ts";
import type { EventDocument, MessageDocument } from "./message-documents.ts";
import type { OrderedUpdate } from "./ordered-write.ts";
import { guarded } from "./store-fault.ts";
import { everybodys, type OfAccount, type Whose } from "./whose.ts";
import type { WriteInOrder } from "./write-in-order.ts";

/** `message.attempt.kind`: the same event has the same id however often it is written. */
export function eventId(messageId: string, attempt: number, kind: string): string {
  return `${messageId}.${attempt}.${kind}`;
}

export type EventStore = ReturnType<typeof createEventStore>;

interface Insertion {
  /** The ids of those that were there. */
  readonly present: ReadonlySet<unknown>;
  /** How many documents the updates behind them have found; missing: these are still to be made. */
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

  /** Writes events once the journal tells of them, and tells it which were not there. */
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
      // From here on nobody can say that it was not stored, unless the store does.
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
    // One was there, or an update is refused, which is to be told of it and keeps no other one from being made.
    return writeMissing(stored.slice(refused.place));
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
    /**
     * Writes those that are not there yet and, behind them, updates of what they tell of: by one command, where the server has it and
     * nothing is refused.
     * @returns how many documents the updates have found; undefined: all events are there, and the updates are still to be made, though
     *   some may be made already
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
      /** Writes those that are not there yet. */
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
       * Begins to tell the journal of events that are about to be written, in parallel with whatever else comes before them:
       * they are given to `insertMissing` then, or the announcement is settled.
       */
      announce,

      /**
       * Writes those that are not there yet.
       * @param announced missing: they are announced first
       */
      async insertMissing(documents: readonly NewEvent[], announced?: Announcement): Promise<void> {
        await insert(documents, announced);
      },

      /** Oldest first. What tells of a message whose account could not be read is in nobody's own list. */
      listOfMessage: (messageId: string) => listOfMessage(messageId, everybodys),

      /** As that of an account. */
      lastReplies: (messages: readonly Pick<MessageDocument, "_id" | "state" | "attempts">[]) =>
        findLastReplies(messages, everybodys),
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
