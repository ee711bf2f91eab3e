import type { ReplyCategory, ReplyPhase } from "./reply-rule.ts";

/** What a server said, or why it was not heard. */
export interface Reply {
  /** `transport host:port`. */
  readonly via: string;
  /** SMTP reply code; undefined: there was no reply. */
  readonly code?: number;
  /** RFC 3463, as `5.1.1`. */
  readonly enhancedStatusCode?: string;
  /** What the server had been asked; undefined: there was no reply, or it said yes. */
  readonly phase?: ReplyPhase;
  /** The reply's text or the fault, safe to show. */
  readonly detail: string;
  /** What a refusal is about. */
  readonly category?: ReplyCategory;
  /** When the server wants to be asked again. */
  readonly retryAfterSeconds?: number;
  /** The address itself is bad (`isAddressInvalid`): later mail to it is not sent. */
  readonly addressInvalid?: true;
  /** Put off only because the server did not know us yet (RFC 6647). */
  readonly greylisted?: true;
  /** The server that took the message tells its sender what he wants to be told (RFC 3461). */
  readonly takesOverDsn?: true;
  /** The version of TLS and the cipher suite; undefined: there was none. */
  readonly tls?: string;
  /** IP address of this machine that the connection came from. */
  readonly sourceAddress?: string;
  /**
   * Lines, safe to show: `> ` what this side said, `< ` the server, `* ` what happened besides. No credentials, and nothing of the
   * message.
   */
  readonly conversation?: string;
}

/** What is kept of a conversation with a server. */
export type Transcript = Pick<Reply, "tls" | "conversation" | "sourceAddress">;

/**
 * How an attempt over one transport ended.
 *
 * - `delivered`, `captured`: somebody else answers for the message now
 * - `deferred`: refused for now, and whoever else is asked would say the same, or may be sent it twice
 * - `unreachable`: the server or the transport could not be used, or has said so itself: the next one may be
 * - `bounced`: refused for good
 * - `abandoned`: ended from this side before any server could have the message: as good as no attempt
 */
export interface TransportOutcome {
  readonly kind: "delivered" | "captured" | "deferred" | "unreachable" | "bounced" | "abandoned";
  readonly reply: Reply;
  /** The place in the list of servers at which a later attempt goes on. Missing: at the beginning. */
  readonly resumeAt?: number;
}

const MAX_DETAIL_LENGTH = 1000;

// biome-ignore format: one line for the suppression of a rule
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** Text of a stranger made safe to store and show, with its lines. */
export function safeLines(text: string): string {
  return text.replace(UNSAFE, " ").toWellFormed();
}

/** Text of a stranger made safe to store and show: one line, no control characters, bounded. */
export function safeDetail(text: string): string {
  const printable = safeLines(text.slice(0, MAX_DETAIL_LENGTH * 4))
    .replace(/\n+/g, " ")
    .trim();
  return printable.length > MAX_DETAIL_LENGTH ? `${printable.slice(0, MAX_DETAIL_LENGTH - 1)}…` : printable;
}

/** The enhanced status code at the start of a reply's text (RFC 2034), or nothing. */
export function enhancedStatusCodeOf(text: string): string | undefined {
  return /^(?:\d{3}[ -])?\s*([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/.exec(text)?.[1];
}
