import { faultCodes } from "../../../contracts/common/fault-codes.ts";
import type { Fault } from "../../shared/fault.ts";

/** A reply with its enhanced status code (RFC 3463). */
export interface Reply {
  readonly code: number;
  readonly enhanced: string;
  readonly text: string;
}

/** Reply for a message with an unknown state, so that its sender knows. */
export const UNCERTAIN =
  "The message may have been accepted: the answer was lost. Sent again without X-Idempotency-Key, it may arrive twice";

export function reply(code: number, enhanced: string, text: string): Reply {
  return { code, enhanced, text };
}

/** Reply of a fault, from the catalog and with the text of the fault. */
export function replyToFault({ code, public: sentence, errors }: Fault): Reply {
  const [basic = "", enhanced = ""] = faultCodes[code].smtp.split(" ");
  const [only, ...others] = errors;
  return reply(Number(basic), enhanced, only && others.length === 0 ? only.message : sentence);
}

/** Error for smtp-server. Its text starts with the enhanced status code. */
export function replyError({ code, enhanced, text }: Reply): Error {
  return Object.assign(new Error(`${enhanced} ${text}`), { responseCode: code });
}

export function isReply(value: object): value is Reply {
  return "code" in value;
}

const ENHANCED = /^([245]\.\d{1,3}\.\d{1,3}) (.*)$/s;

/** Splits a text from the enhanced status code at its start. */
export function splitEnhanced(text: string): {
  readonly enhanced: string | undefined;
  readonly text: string;
} {
  const [, enhanced, rest] = ENHANCED.exec(text) ?? [];
  return { enhanced, text: rest ?? text };
}

/** Code for smtp-server's own replies for which its table has only a code for mailboxes. */
export function enhancedCodeFor(code: number, text: unknown): string | undefined {
  if (code !== 421 || typeof text !== "string") return undefined;
  if (text.startsWith("Timeout")) return "4.4.2";
  return text.startsWith("Server shutting down") ? "4.3.2" : "4.7.0";
}

/** RFC 5321 section 4.5.3.1.5 allows 512 octets for the complete line. Not every client reads UTF-8. */
const MAX_TEXT = 480;

export function tidy(text: string): string {
  return text.slice(0, MAX_TEXT).replace(/[^ -~]/g, "?");
}
