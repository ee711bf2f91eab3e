import type { NodemailerError } from "nodemailer";
import { classifyReply } from "./classify-reply.ts";
import { enhancedStatusCodeOf, type Reply, safeDetail, type TransportOutcome } from "./outcome.ts";
import type { ReplyPhase } from "./replies/reply-rule.ts";

/** The server is closing the channel (RFC 5321 section 3.8): it has said nothing about the message. */
const SERVICE_NOT_AVAILABLE = 421;

/** What a server said, made safe to keep. */
export function readReply(via: string, response: string): Reply {
  const code = Number.parseInt(response, 10);
  const enhancedStatusCode = enhancedStatusCodeOf(response);
  return {
    via,
    ...(code >= 200 && code < 600 && { code }),
    ...(enhancedStatusCode !== undefined && { enhancedStatusCode }),
    detail: safeDetail(response),
  };
}

/**
 * What nodemailer reports, as an outcome. Only a reply to the envelope or to the message can bounce it: what is said
 * before MAIL concerns the connection, and another server may say otherwise.
 * @param provider host name of the server, as the MX record or the settings have it
 */
export function classifyFailure(via: string, provider: string, error: unknown): TransportOutcome {
  if (!isNodemailerError(error)) return unheard(via, error instanceof Error ? error.message : String(error));
  const { code, responseCode, response, message } = error;
  const aboutMessage = code === "EENVELOPE" || code === "EMESSAGE";
  if (response === undefined || responseCode === undefined) {
    if (!aboutMessage) return unheard(via, message);
    // Without a reply these are limits that the server announced: a size, or what it cannot carry.
    return { kind: "bounced", reply: { via, detail: safeDetail(message), category: "policy" } };
  }
  const heard = readReply(via, response);
  const { category, permanent, greylisted, retryAfterSeconds } = classifyReply({
    code: responseCode,
    enhancedStatusCode: heard.enhancedStatusCode,
    text: heard.detail,
    phase: phaseOf(error),
    provider,
  });
  const reply: Reply = {
    ...heard,
    category,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(greylisted && { greylisted }),
  };
  if (!aboutMessage || responseCode === SERVICE_NOT_AVAILABLE) return { kind: "unreachable", reply };
  return { kind: permanent ? "bounced" : "deferred", reply };
}

function unheard(via: string, text: string): TransportOutcome {
  const detail = safeDetail(text);
  const { category } = classifyReply({ text: detail, phase: "connect" });
  return { kind: "unreachable", reply: { via, detail, category } };
}

const phases: readonly (readonly [command: string, phase: ReplyPhase])[] = [
  ["EHLO", "ehlo"],
  ["HELO", "ehlo"],
  ["STARTTLS", "starttls"],
  ["AUTH", "auth"],
  ["MAIL", "mail"],
  ["RCPT", "rcpt"],
  ["DATA", "data"],
];

function phaseOf({ command = "" }: NodemailerError): ReplyPhase {
  return phases.find(([start]) => command.startsWith(start))?.[1] ?? "connect";
}

function isNodemailerError(error: unknown): error is NodemailerError {
  return error instanceof Error && "code" in error;
}
