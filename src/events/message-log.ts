import { safeDetail } from "../message/replies/outcome.ts";
import type { Logger } from "../shared/logger.ts";
import type { EventDocument, MessageDocument } from "../store/message-documents.ts";

/** One line at `info` for what happens to a message. It names the recipient's domain, and never an address. */
export interface MessageLog {
  accepted(message: MessageDocument): void;
  /** @param durationMs from the message's turn until the end of its attempt was recorded */
  attempted(message: MessageDocument, event: EventDocument, durationMs: number): void;
}

/** A line that is not wanted at the log's level costs the question whether it is. */
export function createMessageLog(log: Logger): MessageLog {
  // Every field is named here, so there is no secret to look for, which costs ten times as much as the line.
  const lines = log.child({}, { redact: [] });
  return {
    accepted: (message) => {
      if (!lines.isLevelEnabled("info")) return;
      const { _id: id, traceId, accountId: account, recipientDomain: domain } = message;
      lines.info({ traceId, message: id, account, domain }, "message accepted");
    },
    attempted: (message, event, durationMs) => {
      if (!lines.isLevelEnabled("info")) return;
      const { _id: id, traceId, recipientDomain: domain } = message;
      const { kind: state, via = "" } = event;
      // Names of servers are strangers' words.
      const server = safeDetail(via);
      const ms = Math.round(durationMs);
      lines.info({ traceId, message: id, domain, state, server, ms }, "delivery attempted");
    },
  };
}
