import { safeDetail } from "../message/replies/outcome.ts";
import type { Logger } from "../shared/logger.ts";
import type { EventDocument, MessageDocument } from "../store/message-documents.ts";

/** Writes one line at `info` for each event of a message. The line names the domain of the recipient, but no address. */
export interface MessageLog {
  accepted(message: MessageDocument): void;
  /** @param durationMs time from the turn of the message until the end of its attempt was stored */
  attempted(message: MessageDocument, event: EventDocument, durationMs: number): void;
}

/** If the level of the log is higher, a call costs only the check of the level. */
export function createMessageLog(log: Logger): MessageLog {
  // All fields are listed here, so no secrets need to be redacted. Redaction would cost ten times as much as the line.
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
      // Server names come from outside and are not trusted.
      const server = safeDetail(via);
      const ms = Math.round(durationMs);
      lines.info({ traceId, message: id, domain, state, server, ms }, "delivery attempted");
    },
  };
}
