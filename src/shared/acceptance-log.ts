import type { IncomingHttpHeaders } from "node:http";
import type { Logger } from "./logger.ts";

/** An accepted submission, as known to the process that talks to the client. */
export interface Acceptance {
  readonly traceId: string;
  readonly messageIds: readonly string[];
  readonly accountId: string;
  /** The response of an earlier submission with the same idempotency key was repeated. */
  readonly replayed: boolean;
  /** Trace id of the client's own tracing (W3C Trace Context). */
  readonly clientTraceId?: string | undefined;
}

/** Writes a line at `info` for each accepted submission. It links a client's trace to the message and its attempts. */
export type AcceptanceLog = (acceptance: Acceptance) => void;

/** A submission has up to 1000 messages, and the core writes a line for each. */
const MAX_IDS = 20;

/** A line contains no address, like those of the core and the worker. */
export function createAcceptanceLog(log: Logger): AcceptanceLog {
  // All fields are listed here, so no secrets need redaction, which would cost ten times as much as the line.
  const lines = log.child({}, { redact: [] });
  return ({ traceId, messageIds, accountId: account, replayed, clientTraceId }) => {
    if (!lines.isLevelEnabled("info")) return;
    const [message, ...others] = messageIds;
    const all = others.length > 0 && {
      messages: messageIds.slice(0, MAX_IDS),
      messageCount: messageIds.length,
    };
    const line = { traceId, message, ...all, account, ...(replayed && { replayed }), clientTraceId };
    lines.info(line, "submission accepted");
  };
}

const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/;

/** Trace id of a `traceparent` field (W3C Trace Context, section 3.2); undefined: missing or malformed. */
export function clientTraceId({ traceparent }: IncomingHttpHeaders): string | undefined {
  return typeof traceparent === "string" ? TRACE_PARENT.exec(traceparent)?.[1] : undefined;
}
