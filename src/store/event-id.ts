import { bucketOf } from "../shared/ids.ts";
import { NO_BUCKET } from "./bucket.ts";

/** `message.attempt.kind`: an event keeps its id when it is written again. */
export function eventId(messageId: string, attempt: number, kind: string): string {
  return `${messageId}.${attempt}.${kind}`;
}

/** Filter for a message, also of an early release, without a bucket until it is migrated. */
export function messageNamed(messageId: string) {
  return { _id: messageId, bucket: { $in: [bucketOf(messageId), NO_BUCKET] } };
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
