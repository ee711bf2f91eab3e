import type { IncomingHttpHeaders } from "node:http";
import type { Logger } from "./logger.ts";

/** A submission that was accepted, as the process knows it that the client has spoken to. */
export interface Acceptance {
  readonly traceId: string;
  readonly messageIds: readonly string[];
  readonly accountId: string;
  /** An earlier submission under the same idempotency key was answered again. */
  readonly replayed: boolean;
  /** Trace id of the client's own tracing (W3C Trace Context). */
  readonly clientTraceId?: string | undefined;
}

/** Writes a line at `info` for each accepted submission: it leads from a client's trace to the message and its attempts. */
export type AcceptanceLog = (acceptance: Acceptance) => void;

/** A submission has up to 1000 messages: the core writes a line for each. */
const MAX_IDS = 20;

/** A line has no address, as those of the core and of the worker have none. */
export function createAcceptanceLog(log: Logger): AcceptanceLog {
  // Every field is named here, so there is no secret to find, which costs ten times as much as the line.
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

/** The trace id of a `traceparent` field (W3C Trace Context, section 3.2); undefined: none, or it is malformed. */
export function clientTraceId({ traceparent }: IncomingHttpHeaders): string | undefined {
  return typeof traceparent === "string" ? TRACE_PARENT.exec(traceparent)?.[1] : undefined;
}
