import type { MessageBody } from "../content.ts";
import { composeMime } from "./compose-mime.ts";

/** What of a message stands in its header besides its content. */
export interface ComposedMessage {
  /** The Message-ID field, with its angle brackets. */
  readonly headerMessageId: string;
  /** The Date field. */
  readonly createdAt: Date;
}

/**
 * A stored body as the octets of a message: composed, unless its sender has done that. The same at each attempt; what
 * delivery puts on top is not among it.
 * @throws TypeError as `composeMime`
 */
export function composeBody({ headerMessageId, createdAt }: ComposedMessage, body: MessageBody): Buffer {
  if (body.kind === "raw") return body.source;
  return composeMime({ content: body.content, messageId: headerMessageId, date: createdAt });
}
