import { type Phrase, phrase, type TextPart } from "../../shared/phrase.ts";
import type { ReplyCategory, ReplyPhase } from "./reply-rule.ts";

/** Reply of a server, or the failure without one. */
export interface Reply {
  /** `transport host:port`. */
  readonly via: string;
  /** SMTP reply code; undefined: there was no reply. */
  readonly code?: number;
  /** RFC 3463, for example `5.1.1`. */
  readonly enhancedStatusCode?: string;
  /** Command that the server answered; undefined: no reply, or a positive one. */
  readonly phase?: ReplyPhase;
  /** Text of the reply or of the failure, safe to show. */
  readonly detail: string;
  /** Parts of `detail`, if it is a text of Hermod with codes. */
  readonly detailParts?: readonly TextPart[];
  /** Cause of a refusal. */
  readonly category?: ReplyCategory;
  /** Retry time that the server requests. */
  readonly retryAfterSeconds?: number;
  /** The address itself is invalid (`isAddressInvalid`): later mail to it is not sent. */
  readonly addressInvalid?: true;
  /** Deferred only because the server did not know this sender (RFC 6647). */
  readonly greylisted?: true;
  /** The accepting server sends the requested notices to the sender (RFC 3461). */
  readonly takesOverDsn?: true;
  /** TLS version and cipher suite; undefined: no TLS. */
  readonly tls?: string;
  /** Source IP address of the connection. */
  readonly sourceAddress?: string;
  /** Lines, safe to show: `> ` sent, `< ` received, `* ` other events. Without credentials and message content. */
  readonly conversation?: string;
}

/** Stored facts of a conversation with a server. */
export type Transcript = Pick<Reply, "tls" | "conversation" | "sourceAddress">;

/**
 * Result of an attempt over one transport.
 *
 * - `delivered`, `captured`: another server is now responsible for the message
 * - `deferred`: refused temporarily, and every other server would give the same reply, or might deliver it twice
 * - `unreachable`: the server or the transport could not be used, or said so itself: the next one may be
 * - `bounced`: refused permanently
 * - `abandoned`: ended by this side before any server could have the message: equivalent to no attempt
 */
export interface TransportOutcome {
  readonly kind: "delivered" | "captured" | "deferred" | "unreachable" | "bounced" | "abandoned";
  readonly reply: Reply;
  /** Position in the list of servers at which a later attempt continues. Missing: at the beginning. */
  readonly resumeAt?: number;
}

const MAX_DETAIL_LENGTH = 1000;

// biome-ignore format: one line for the suppression of a rule
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** Makes foreign text safe to store and show, keeping its lines. */
export function safeLines(text: string): string {
  return text.replace(UNSAFE, " ").toWellFormed();
}

/** Makes foreign text safe to store and show: one line, no control characters, bounded. */
export function safeDetail(text: string): string {
  const printable = safeLines(text.slice(0, MAX_DETAIL_LENGTH * 4))
    .replace(/\n+/g, " ")
    .trim();
  return printable.length > MAX_DETAIL_LENGTH ? `${printable.slice(0, MAX_DETAIL_LENGTH - 1)}…` : printable;
}

/** A phrase as the detail of a reply, with foreign text in it made safe. */
export function detailOf({ text, parts }: Phrase): Pick<Reply, "detail" | "detailParts"> {
  const safe = parts.map(({ code, params }) => (params ? { code, params: safeParams(params) } : { code }));
  return { detail: safeDetail(text), ...(safe.length > 0 && { detailParts: safe }) };
}

function safeParams(params: NonNullable<TextPart["params"]>): NonNullable<TextPart["params"]> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === "string" ? safeDetail(value) : value,
    ]),
  );
}

/** The text of a reply as a phrase. The words of a server are one param. */
export function phraseOf({ detail, detailParts }: Pick<Reply, "detail" | "detailParts">): Phrase {
  return detailParts ? { text: detail, parts: detailParts } : phrase("server.reply", { detail });
}

/** The enhanced status code at the start of a reply's text (RFC 2034), if any. */
export function enhancedStatusCodeOf(text: string): string | undefined {
  return /^(?:\d{3}[ -])?\s*([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/.exec(text)?.[1];
}
