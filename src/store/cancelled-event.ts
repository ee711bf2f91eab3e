import type { EventDocument, MessageDocument } from "./documents.ts";
import { eventId } from "./event-store.ts";

/** The event of a message that is withdrawn; written before its state, as every event is. */
export function cancelledEvent(message: MessageDocument, at: Date, expireAt: Date): EventDocument {
  return {
    _id: eventId(message._id, message.attempts, "cancelled"),
    messageId: message._id,
    accountId: message.accountId,
    traceId: message.traceId,
    kind: "cancelled",
    attempt: message.attempts,
    at,
    expireAt,
    detail: "withdrawn on request",
  };
}
