import type { Db } from "mongodb";
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
    insertMissing: (documents: readonly EventDocument[]) => insertMissing(events, documents),

    /** Oldest first. Ids begin with the message's: an index of its own would cost a write for each event. */
    listOfMessage(messageId: string): Promise<EventDocument[]> {
      const ids = { $gte: `${messageId}.`, $lt: `${messageId}/` };
      return guarded(events.find({ _id: ids }).sort({ at: 1 }).toArray());
    },
  };
}
