import type { MessageDocument } from "../../src/store/message-documents.ts";
import { queuedMessage } from "./queued-message.ts";

/** The message `msg_1`, just accepted, in partition 1, with these changes. */
export function messageDocument(changes: Partial<MessageDocument> = {}): MessageDocument {
  return queuedMessage(new Date(), { _id: "msg_1", partition: 1, ...changes });
}
