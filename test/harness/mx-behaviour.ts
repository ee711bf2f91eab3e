/** Step of the SMTP session. `connect` is the greeting, `message` the reply to the final dot. */
export type MxPhase = "connect" | "ehlo" | "starttls" | "mail" | "rcpt" | "data" | "message";

/**
 * A reply instead of the usual one, as sent over the wire without the last line end: `550 5.1.1 no such user`, or
 * anything else that a hostile server sends. A function receives the command's argument and keeps the usual reply
 * by returning undefined. After a reply that begins with 421 the connection is closed.
 */
export type MxReply = string | ((argument: string) => string | undefined);

/** Differences of a server from one that accepts everything at once, with optional TLS. */
export interface MxBehaviour {
  readonly replies?: Readonly<Partial<Record<MxPhase, MxReply>>>;
  /** Delay before every reply. */
  readonly replyDelayMs?: number;
  /** Replies are sent octet by octet, this far apart. */
  readonly octetDelayMs?: number;
  /** `451 4.7.1` for a sender and recipient that were first seen less than this ago. */
  readonly greylistMs?: number;
  /** The next MAIL on the connection is answered with 421. */
  readonly messagesPerConnection?: number;
  /** Further connections are greeted with `421 4.7.0`. */
  readonly maxConnections?: number;
  /**
   * The connection is reset: instead of the reply to that command, in the middle of the message, or, without a reply,
   * after the whole message was received and stored.
   */
  readonly dropsAt?: MxPhase | "before_dot" | "after_dot";
  /** Number of resets; missing: always. */
  readonly drops?: number;
  /** `none` is not offered, `broken` accepts STARTTLS but does not speak TLS. */
  readonly tls?: "offered" | "none" | "broken";
  /** Nothing listens on its address. */
  readonly absent?: boolean;
  /** The server keeps the whole source of each message, not only its id. */
  readonly keepsSource?: boolean;
}

/** A message that a server has accepted. */
export interface MxReceipt {
  /** Hermod's message id from the Message-ID field; empty if there is none. */
  readonly id: string;
  readonly from: string;
  readonly to: readonly string[];
  /** Performance clock: arrival of the final dot. */
  readonly atMs: number;
  /** The name that the client gave in EHLO. */
  readonly client: string;
  /** Number of the connection, from 1. */
  readonly connection: number;
  readonly secure: boolean;
  /** As sent, dot-unstuffed, if the server keeps it. */
  readonly source: Buffer | undefined;
}
