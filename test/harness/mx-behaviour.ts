/** What a server is asked at that moment. `connect` is the greeting, `message` what follows the final dot. */
export type MxPhase = "connect" | "ehlo" | "starttls" | "mail" | "rcpt" | "data" | "message";

/**
 * A reply instead of the usual one, as it goes over the wire but for the last line end: `550 5.1.1 no such user`, or
 * whatever else a hostile server says. A function is given the command's argument and leaves the usual reply by
 * returning undefined. After one that begins with 421 the connection is closed.
 */
export type MxReply = string | ((argument: string) => string | undefined);

/** How a server differs from one that takes everything at once, over TLS if asked. */
export interface MxBehaviour {
  readonly replies?: Readonly<Partial<Record<MxPhase, MxReply>>>;
  /** Passes before every reply. */
  readonly replyDelayMs?: number;
  /** Replies are sent octet by octet, this far apart. */
  readonly octetDelayMs?: number;
  /** `451 4.7.1` for a sender and recipient that were first seen less than this ago. */
  readonly greylistMs?: number;
  /** The next MAIL on the connection is answered with 421. */
  readonly messagesPerConnection?: number;
  /** Connections beyond it are greeted with `421 4.7.0`. */
  readonly maxConnections?: number;
  /**
   * The connection is reset: instead of the reply to that command, in the middle of the message, or once the whole
   * message is there and kept, unanswered.
   */
  readonly dropsAt?: MxPhase | "before_dot" | "after_dot";
  /** How often it does so; always when missing. */
  readonly drops?: number;
  /** `none` is not offered, `broken` speaks no TLS after agreeing to it. */
  readonly tls?: "offered" | "none" | "broken";
  /** Nothing listens on its address. */
  readonly absent?: boolean;
  /** The whole source of each message is kept, not its id alone. */
  readonly keepsSource?: boolean;
}

/** One message that a server has taken. */
export interface MxReceipt {
  /** Hermod's id of the message, out of its Message-ID; empty when it has none. */
  readonly id: string;
  readonly from: string;
  readonly to: readonly string[];
  /** Performance clock: when the final dot had arrived. */
  readonly atMs: number;
  /** The name that the client gave in EHLO. */
  readonly client: string;
  /** Counts the server's connections from 1. */
  readonly connection: number;
  readonly secure: boolean;
  /** As sent, with dots unstuffed, if the server keeps it. */
  readonly source: Buffer | undefined;
}
