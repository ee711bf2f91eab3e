import type { Collection, Filter } from "mongodb";
import { bucketOf } from "../shared/ids.ts";
import { NO_BUCKET } from "./bucket.ts";
import { createShapeFault, ofNumber, optional, text } from "./field-checks.ts";
import type { EventDocument, MessageDocument } from "./message-documents.ts";
import { endIdOf } from "./message-end.ts";
import type { Owner } from "./owner.ts";
import { readEach } from "./read-each.ts";

/** The reply that caused a message's state: a server's, or one of Hermod itself. */
export type LastReply = Pick<EventDocument, "replyCode" | "enhancedStatusCode" | "detail">;

export type Replied = Pick<MessageDocument, "_id" | "state" | "attempts" | "end">;
type Reply = LastReply & Pick<EventDocument, "_id" | "messageId">;

const SHOWN = { messageId: 1, replyCode: 1, enhancedStatusCode: 1, detail: 1 } as const;
/** An invalid reply is left out, and the message is listed without it. */
const replyFault = createShapeFault<Reply>([
  ["replyCode", ofNumber(optional(Number.isSafeInteger))],
  ["enhancedStatusCode", optional(text)],
  ["detail", optional(text)],
]);

/**
 * Id of the event with the last reply; undefined: there was no attempt. A cancelled message keeps the reply of the
 * previous attempt.
 */
function lastReplyId({ _id, state, attempts }: Replied): string | undefined {
  if (attempts === 0 && state !== "suppressed") return undefined;
  return `${_id}.${attempts}.${state === "cancelled" ? "deferred" : state}`;
}

/**
 * Finds last replies by the ids of their events, which follow from the messages. This needs no additional field or
 * index, and also works for messages of earlier releases.
 */
export function createFindLastReplies(events: Collection<EventDocument>) {
  return async (messages: readonly Replied[], owner: Owner): Promise<ReadonlyMap<string, LastReply>> => {
    const replies = new Map<string, LastReply>();
    const ids: string[] = [];
    for (const message of messages) {
      const id = lastReplyId(message);
      if (id === undefined) continue;
      const { _id, end } = message;
      if (end && endIdOf(_id, end) === id) replies.set(_id, end);
      else ids.push(id);
    }
    if (ids.length === 0) return replies;
    const buckets = [...new Set(ids.map((id) => bucketOf(id.slice(0, id.indexOf(".")))))];
    const wanted = { _id: { $in: ids }, bucket: { $in: [...buckets, NO_BUCKET] }, ...owner };
    const { documents } = await readEach<Reply>(
      (options) => events.find(wanted as Filter<EventDocument>, { ...options, projection: SHOWN }),
      replyFault,
    );
    for (const reply of documents) replies.set(reply.messageId, reply);
    return replies;
  };
}
