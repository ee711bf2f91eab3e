import type { Reply } from "../message/replies/outcome.ts";
import { detailFields, phrase } from "../shared/phrase.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { eventId } from "../store/event-id.ts";
import { factsOf, type NewEvent } from "../store/journal/journal-documents.ts";
import type { EventDocument, MessageDocument, RetryReason } from "../store/message-documents.ts";

export interface EventFacts extends Pick<EventDocument, "kind" | "attempt" | "at" | "expireAt"> {
  /** Replaces the kind in the id if an attempt can have several events of its kind. */
  readonly name?: string;
  /** Reply of a server, or of Hermod. */
  readonly reply: Pick<Reply, "detail"> & Partial<Reply>;
  readonly nextAttemptAt?: Date | undefined;
  readonly nextAttemptReason?: RetryReason | undefined;
  readonly durationMs?: number | undefined;
  readonly suppression?: EventDocument["suppression"] | undefined;
  readonly hit?: EventDocument["hit"] | undefined;
  readonly decidedBy?: EventDocument["decidedBy"] | undefined;
}

/** Creates an event of a message. The same facts give the same id, so that writing the event again does not duplicate it. */
export function messageEvent(
  message: Pick<MessageDocument, "_id" | "accountId" | "traceId"> & Partial<MessageDocument>,
  { kind, name = kind, attempt, at, expireAt, reply, ...ofAttempt }: EventFacts,
): NewEvent {
  const { _id: messageId, accountId, traceId } = message;
  return {
    _id: eventId(messageId, attempt, name),
    messageId,
    accountId,
    traceId,
    kind,
    attempt,
    at,
    expireAt,
    detail: reply.detail,
    about: factsOf(message),
    ...withoutUndefined({
      via: reply.via,
      replyCode: reply.code,
      enhancedStatusCode: reply.enhancedStatusCode,
      category: reply.category,
      tls: reply.tls,
      sourceAddress: reply.sourceAddress,
      conversation: reply.conversation,
      detailParts: reply.detailParts,
      ...ofAttempt,
    }),
  };
}

/** Creates the event of a cancelled message. Like every event, it is written before the state. */
export function cancelledEvent(message: MessageDocument, at: Date, expireAt: Date): NewEvent {
  const reply = detailFields(phrase("message.cancelled"));
  return messageEvent(message, { kind: "cancelled", attempt: message.attempts, at, expireAt, reply });
}
