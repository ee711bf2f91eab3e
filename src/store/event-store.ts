import type { Db } from "mongodb";
import { bucketOf } from "../shared/ids.ts";
import { NO_BUCKET } from "./bucket.ts";
import { insertMissing } from "./insert-missing.ts";
import type { EventDocument } from "./message-documents.ts";
import { guarded } from "./store-fault.ts";
import { everybodys, type OfAccount, type Whose } from "./whose.ts";

/** `message.attempt.kind`: the same event has the same id however often it is written. */
export function eventId(messageId: string, attempt: number, kind: string): string {
  return `${messageId}.${attempt}.${kind}`;
}

export function createEventStore(db: Db) {
  const events = db.collection<EventDocument>("events");

  const insert = (documents: readonly EventDocument[]) =>
    insertMissing(
      events,
      documents.map((event) => ({ ...event, bucket: bucketOf(event.messageId) })),
    );

  /** Ids begin with the message's: an index of its own would cost a write for each event. */
  function listOfMessage(messageId: string, whose: Whose): Promise<EventDocument[]> {
    const _id = { $gte: `${messageId}.`, $lt: `${messageId}/` };
    // Those of an early release have no bucket until they are migrated.
    const bucket = { $in: [bucketOf(messageId), NO_BUCKET] };
    return guarded(
      events
        .find({ _id, bucket, ...whose })
        .sort({ at: 1 })
        .toArray(),
    );
  }

  return {
    forAccount: (accountId: string) => ({
      /** Writes those that are not there yet. */
      insertMissing: (documents: readonly OfAccount<EventDocument>[]) =>
        insert(documents.map((event) => ({ ...event, accountId }))),

      /** Oldest first. */
      listOfMessage: (messageId: string) => listOfMessage(messageId, { accountId }),
    }),

    acrossAccounts: {
      /** Writes those that are not there yet. */
      insertMissing: insert,

      /** Oldest first. What tells of a message whose account could not be read is in nobody's own list. */
      listOfMessage: (messageId: string) => listOfMessage(messageId, everybodys),
    },
  };
}
