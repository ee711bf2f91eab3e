import { faultCodes } from "../../../contracts/common/fault-codes.ts";
import type { Fault } from "../../shared/fault.ts";

/** A reply with its enhanced status code (RFC 3463). */
export interface Reply {
  readonly code: number;
  readonly enhanced: string;
  readonly text: string;
}

/** For a message whose fate is not known: its sender, too, has to know that. */
export const UNCERTAIN =
  "The message may have been accepted: the answer was lost. Sent again without X-Idempotency-Key, it may arrive twice";

export function reply(code: number, enhanced: string, text: string): Reply {
  return { code, enhanced, text };
}

/** The catalogue's reply to a fault, with the fault's sentence. */
export function replyToFault({ code, public: sentence, errors }: Fault): Reply {
  const [basic = "", enhanced = ""] = faultCodes[code].smtp.split(" ");
  const [only, ...others] = errors;
  return reply(Number(basic), enhanced, only && others.length === 0 ? only.message : sentence);
}

/** For smtp-server, which wants errors: the text starts with the enhanced status code. */
export function replyError({ code, enhanced, text }: Reply): Error {
  return Object.assign(new Error(`${enhanced} ${text}`), { responseCode: code });
}

export function isReply(value: object): value is Reply {
  return "code" in value;
}

const ENHANCED = /^([245]\.\d{1,3}\.\d{1,3}) (.*)$/s;

/** Parts a text from the enhanced status code that it starts with. */
export function splitEnhanced(text: string): {
  readonly enhanced: string | undefined;
  readonly text: string;
} {
  const [, enhanced, rest] = ENHANCED.exec(text) ?? [];
  return { enhanced, text: rest ?? text };
}

/** For smtp-server's own replies, where its table has no better code than one for mailboxes. */
export function enhancedCodeFor(code: number, text: unknown): string | undefined {
  if (code !== 421 || typeof text !== "string") return undefined;
  if (text.startsWith("Timeout")) return "4.4.2";
  return text.startsWith("Server shutting down") ? "4.3.2" : "4.7.0";
}

/** RFC 5321 section 4.5.3.1.5 allows 512 octets with what stands around it; not every client reads UTF-8. */
const MAX_TEXT = 480;

export function tidy(text: string): string {
  return text.slice(0, MAX_TEXT).replace(/[^ -~]/g, "?");
}
