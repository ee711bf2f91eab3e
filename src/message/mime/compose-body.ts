import type { MessageBody } from "../content.ts";
import { composeMime } from "./compose-mime.ts";

/** Header fields of a message in addition to its content. */
export interface ComposedMessage {
  /** The Message-ID field, with its angle brackets. */
  readonly headerMessageId: string;
  /** The Date field. */
  readonly createdAt: Date;
}

/**
 * A stored body as the octets of a message: composed, unless its sender has done so. Equal at each attempt; fields that
 * delivery adds on top are not included.
 * @throws TypeError like `composeMime`
 */
export function composeBody({ headerMessageId, createdAt }: ComposedMessage, body: MessageBody): Buffer {
  if (body.kind === "raw") return body.source;
  return composeMime({ content: body.content, messageId: headerMessageId, date: createdAt });
}
