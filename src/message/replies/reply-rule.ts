/**
 * What a refusal is about.
 *
 * - `invalid_mailbox`: nobody (any more) reads mail at this address
 * - `mailbox_full`: the mailbox exists and has no room
 * - `policy`: a rule of the receiver, the size and the form of the message among them
 * - `spam`: the message, its sender's domain or the sending host is taken for a source of spam
 * - `rate_limit`: too much at once; the same message is taken later
 * - `auth`: SPF, DKIM, DMARC or ARC did not pass, or the server wants other credentials (SMTP AUTH)
 * - `dns`: a name did not resolve: the recipient's domain, the sender's, or the sending host's (PTR, HELO)
 * - `tls`: encryption was asked for and not had, or could not be agreed on
 * - `network`: no connection, or a server that is closing, busy or cannot route
 * - `other`: nothing of this could be told
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
 * What else the server would refuse in the same way.
 *
 * - `message`: nothing: another message would pass
 * - `recipient`: other mail to this address
 * - `destination`: whatever this host sends there, to whomever
 * - `sender`: whatever this sender (address or domain) sends
 */
export type ReplyScope = "message" | "recipient" | "destination" | "sender";

/** What the reply answers: the connection, a command, or, `data`, the command or the message's end. */
export type ReplyPhase = "connect" | "ehlo" | "starttls" | "auth" | "mail" | "rcpt" | "data";

/** Phases whose reply is about the recipient. */
export const ABOUT_RECIPIENT: readonly ReplyPhase[] = ["rcpt", "data"];
/** Categories that are about one mailbox. */
export const OF_THE_MAILBOX: readonly ReplyCategory[] = ["invalid_mailbox", "mailbox_full"];

/** A rule matches when all that it names matches; the first rule that matches decides. */
export interface ReplyRule {
  /** On the server's host name in lower case. Only where the same words mean something else elsewhere. */
  readonly provider?: RegExp;
  /** Reply codes or their classes; `none`: there was no reply, the text is the client's own fault. */
  readonly code?: readonly (number | "4xx" | "5xx" | "none")[];
  /** RFC 3463, `x` for either class and `*` for any detail: `x.1.1`, `x.4.*`. */
  readonly enhanced?: readonly string[];
  readonly phase?: readonly ReplyPhase[];
  /**
   * On the text in lower case, words apart by one space, every address as a lone `@`. Each quantifier has an upper
   * bound, so that a hostile text costs no more than its length.
   */
  readonly text?: RegExp;
  readonly category: ReplyCategory;
  readonly scope: ReplyScope;
  /** Where the first digit of the code does not tell. */
  readonly permanent?: boolean;
  /** The first attempt of a stranger is put off (RFC 6647). */
  readonly greylisted?: true;
  /** Instead of the category's advice. */
  readonly advice?: string;
}

/** The server is closing, whatever it was asked (RFC 5321 section 3.8). */
export const SERVICE_NOT_AVAILABLE = 421;
