/**
 * Cause of a refusal.
 *
 * - `invalid_mailbox`: the mailbox does not exist (any more)
 * - `mailbox_full`: the mailbox exists and is full
 * - `policy`: a rule of the receiver, including size and form of the message
 * - `spam`: the message, its sender's domain or the sending host counts as a source of spam
 * - `rate_limit`: too much at once; the same message is accepted later
 * - `auth`: SPF, DKIM, DMARC or ARC did not pass, or the server requires other credentials (SMTP AUTH)
 * - `dns`: a name did not resolve: the recipient's domain, the sender's, or the sending host's (PTR, HELO)
 * - `tls`: encryption was required and missing, or could not be negotiated
 * - `network`: no connection, or a server that is closing, busy or cannot route
 * - `other`: unknown
 */
export type ReplyCategory =
  | "invalid_mailbox"
  | "mailbox_full"
  | "policy"
  | "spam"
  | "rate_limit"
  | "auth"
  | "dns"
  | "tls"
  | "network"
  | "other";

/**
 * Scope of a refusal: the mail that the server would refuse in the same way.
 *
 * - `message`: only this message
 * - `recipient`: other mail to this address
 * - `destination`: all mail of this host to that destination
 * - `sender`: all mail of this sender (address or domain)
 */
export type ReplyScope = "message" | "recipient" | "destination" | "sender";

/** Subject of the reply: the connection, a command, or, for `data`, the command or the end of the message. */
export type ReplyPhase = "connect" | "ehlo" | "starttls" | "auth" | "mail" | "rcpt" | "data";

/** Phases with replies about the recipient. */
export const ABOUT_RECIPIENT: readonly ReplyPhase[] = ["rcpt", "data"];
/** Categories about one mailbox. */
export const OF_THE_MAILBOX: readonly ReplyCategory[] = ["invalid_mailbox", "mailbox_full"];

/** A rule matches when all of its conditions match; the first matching rule decides. */
export interface ReplyRule {
  /** Matched with the server's host name in lower case. Only if the same words have another meaning elsewhere. */
  readonly provider?: RegExp;
  /** Reply codes or their classes; `none`: no reply, the text is a failure of the client. */
  readonly code?: readonly (number | "4xx" | "5xx" | "none")[];
  /** RFC 3463, `x` for either class and `*` for any detail: `x.1.1`, `x.4.*`. */
  readonly enhanced?: readonly string[];
  readonly phase?: readonly ReplyPhase[];
  /**
   * Matched with the text in lower case, words separated by one space, every address replaced by `@`. Each quantifier has an
   * upper bound, so that a hostile text costs only its length.
   */
  readonly text?: RegExp;
  readonly category: ReplyCategory;
  readonly scope: ReplyScope;
  /** Overrides the first digit of the code. */
  readonly permanent?: boolean;
  /** The first attempt of an unknown sender is deferred (RFC 6647). */
  readonly greylisted?: true;
  /** Replaces the advice of the category. */
  readonly advice?: string;
}

/** The server is closing, for any command (RFC 5321 section 3.8). */
export const SERVICE_NOT_AVAILABLE = 421;
