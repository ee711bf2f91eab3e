import type { Db } from "mongodb";
import { bucketOf } from "../shared/ids.ts";
import { NO_BUCKET } from "./bucket.ts";
import type { EventDocument } from "./documents.ts";
import { insertMissing } from "./insert-missing.ts";
import { guarded } from "./store-fault.ts";

/** `message.attempt.kind`: the same event has the same id however often it is written. */
export function eventId(messageId: string, attempt: number, kind: string): string {
  return `${messageId}.${attempt}.${kind}`;
}

export function createEventStore(db: Db) {
  const events = db.collection<EventDocument>("events");

  return {
    /** Writes those that are not there yet. */
    insertMissing: (documents: readonly EventDocument[]) =>
      insertMissing(
        events,
        documents.map((event) => ({ ...event, bucket: bucketOf(event.messageId) })),
      ),

    /** Oldest first. Ids begin with the message's: an index of its own would cost a write for each event. */
    async listOfMessage(messageId: string): Promise<EventDocument[]> {
      const _id = { $gte: `${messageId}.`, $lt: `${messageId}/` };
      // Those of an early release have no bucket until they are migrated.
      const bucket = { $in: [bucketOf(messageId), NO_BUCKET] };
      return guarded(events.find({ _id, bucket }).sort({ at: 1 }).toArray());
    },
  };
}
