import type { Collection, Filter } from "mongodb";
import { bucketOf } from "../shared/ids.ts";
import { NO_BUCKET } from "./bucket.ts";
import { createShapeFault, ofNumber, optional, text } from "./field-checks.ts";
import type { EventDocument, MessageDocument } from "./message-documents.ts";
import { readEach } from "./read-each.ts";
import type { Whose } from "./whose.ts";

/** The reply that led a message to its state: a server's, or one of Hermod's own. */
export type LastReply = Pick<EventDocument, "replyCode" | "enhancedStatusCode" | "detail">;

type Replied = Pick<MessageDocument, "_id" | "state" | "attempts">;
type Reply = LastReply & Pick<EventDocument, "_id" | "messageId">;

const SHOWN = { messageId: 1, replyCode: 1, enhancedStatusCode: 1, detail: 1 } as const;
/** One that cannot be shown is left out, and the message is listed without it. */
const replyFault = createShapeFault<Reply>([
  ["replyCode", ofNumber(optional(Number.isSafeInteger))],
  ["enhancedStatusCode", optional(text)],
  ["detail", optional(text)],
]);

/**
 * The id of the event that has the last reply; undefined: no attempt was made. A message that was withdrawn keeps the reply of
 * the attempt before.
 */
function lastReplyId({ _id, state, attempts }: Replied): string | undefined {
  if (attempts === 0 && state !== "suppressed") return undefined;
  return `${_id}.${attempts}.${state === "cancelled" ? "deferred" : state}`;
}

/**
 * Finds last replies by the ids of their events, which follow from the messages: neither a field nor an index is written for
 * them, and messages of earlier releases have them, too.
 */
export function createFindLastReplies(events: Collection<EventDocument>) {
  return async (messages: readonly Replied[], whose: Whose): Promise<ReadonlyMap<string, LastReply>> => {
    const ids = messages.flatMap((message) => lastReplyId(message) ?? []);
    if (ids.length === 0) return new Map();
    const buckets = [...new Set(ids.map((id) => bucketOf(id.slice(0, id.indexOf(".")))))];
    const wanted = { _id: { $in: ids }, bucket: { $in: [...buckets, NO_BUCKET] }, ...whose };
    const { documents } = await readEach<Reply>(
      (options) => events.find(wanted as Filter<EventDocument>, { ...options, projection: SHOWN }),
      replyFault,
    );
    return new Map(documents.map((reply) => [reply.messageId, reply]));
  };
}
