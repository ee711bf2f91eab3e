import type { Db } from "mongodb";
import { eventsOfMessage, messageNamed } from "./event-id.ts";
import type { EventWriter } from "./event-writer.ts";
import type { NewEvent } from "./journal/journal-documents.ts";
import type { Announcement } from "./journal/journal-writer.ts";
import { createFindLastReplies, type Replied } from "./last-replies.ts";
import type { EventDocument, MessageDocument } from "./message-documents.ts";
import { END_FIELDS, type EndedMessage, withEnds } from "./message-end.ts";
import { everybodys, type OfAccount, type Owner } from "./owner.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";

export function createEventStore(db: Db, writer: EventWriter) {
  const events = db.collection<EventDocument>("events");
  const messages = db.collection<MessageDocument>("messages");
  const findLastReplies = createFindLastReplies(events);
  const { announce } = writer;

  async function insertMissing(
    documents: readonly NewEvent[],
    announced: Announcement = announce(documents),
  ): Promise<void> {
    await writer.insert(documents, announced, writer.writeMissing);
  }

  function listAlone(messageId: string, owner: Owner): Promise<EventDocument[]> {
    return guarded(
      events
        .find({ ...eventsOfMessage(messageId), ...owner })
        .sort({ at: 1 })
        .toArray(),
    );
  }

  async function listOfMessage(messageId: string, owner: Owner): Promise<EventDocument[]> {
    const named = { ...messageNamed(messageId), ...owner };
    const [alone, ended] = await Promise.all([
      listAlone(messageId, owner),
      readEach<EndedMessage>((options) => messages.find(named, { projection: END_FIELDS, ...options })),
    ]);
    return withEnds(alone, ended.documents);
  }

  async function listOf(message: EndedMessage, owner: Owner): Promise<EventDocument[]> {
    return withEnds(await listAlone(message._id, owner), [message]);
  }

  return {
    forAccount: (accountId: string) => ({
      /** Writes the missing events. */
      async insertMissing(documents: readonly OfAccount<NewEvent>[]): Promise<void> {
        await insertMissing(documents.map((event) => ({ ...event, accountId })));
      },

      /** Oldest first. */
      listOfMessage: (messageId: string) => listOfMessage(messageId, { accountId }),

      /** As `listOfMessage`, with the events that happened before the message was read. */
      listOf: (message: EndedMessage) => listOf(message, { accountId }),

      /** By message id. Messages without an attempt have none. */
      lastReplies: (messages: readonly Replied[]) => findLastReplies(messages, { accountId }),
    }),

    acrossAccounts: {
      /**
       * Starts the announcement of future events in the journal, in parallel with preceding work. Later pass the
       * events to `insertMissing` or `applyWithEvents`, or settle the announcement.
       */
      announce: (documents: readonly NewEvent[]): Announcement => announce(documents),

      /**
       * Writes the missing events, none of which is the end of an attempt.
       * @param announced missing: they are announced first
       */
      insertMissing,

      /** Oldest first. An event of a message with an unreadable account is in no account's list. */
      listOfMessage: (messageId: string) => listOfMessage(messageId, everybodys),

      /** As `listOfMessage`, with the events that happened before the message was read. */
      listOf: (message: EndedMessage) => listOf(message, everybodys),

      /** As `lastReplies` of an account. */
      lastReplies: (messages: readonly Replied[]) => findLastReplies(messages, everybodys),
    },
  };
}
