import { safeDetail, type Transcript } from "../message/replies/outcome.ts";
import type { ReplyPhase } from "../message/replies/reply-rule.ts";

/** What a server answered. */
export interface SmtpReply {
  readonly code: number;
  /** Its lines as they came, with their codes, joined by "\n"; octets of a stranger. */
  readonly text: string;
  /** To the end of a message: the server knows what its sender wants to be told (RFC 3461), and tells it. */
  readonly takesOverDsn?: true;
  /** What was said before it about the message. */
  readonly transcript?: Transcript;
}

export interface SmtpErrorDetails {
  readonly phase: ReplyPhase;
  readonly reply?: SmtpReply | undefined;
  readonly refusedAs?: string | undefined;
  readonly dataBegun?: boolean;
  readonly afterDot?: boolean;
  readonly tls?: boolean;
  readonly down?: boolean;
  readonly reused?: boolean;
  readonly abandoned?: boolean;
  readonly timedOut?: boolean;
  readonly transcript?: Transcript | undefined;
  readonly cause?: unknown;
}

/** A connection or a transaction that failed; its message is safe to show. */
export class SmtpError extends Error {
  /** What was asked last, or what the reply answers. */
  readonly phase: ReplyPhase;
  /** The refusal; undefined: none was heard. */
  readonly reply: SmtpReply | undefined;
  /** RFC 3463. This side refused, for good, before anything of the message was sent: the server cannot be given it. */
  readonly refusedAs: string | undefined;
  /**
   * The server may have the message: the final dot, or a part of it, was handed to the socket after everything else
   * had been accepted, and no answer to it was heard. Whatever is lost before that was never accepted (RFC 5321
   * section 4.1.1.4) and may be sent again at once.
   */
  readonly dataBegun: boolean;
  /** The reply answers the whole message, not a command. */
  readonly afterDot: boolean;
  /** TLS failed, as against the connection under it: not offered, refused, broken, or not what was demanded. */
  readonly tls: boolean;
  /** Nobody is there: no connection, or no greeting in time. Another message would fare no better. */
  readonly down: boolean;
  /** The connection had served other messages before: a fresh one may do better. */
  readonly reused: boolean;
  /** Ended by this side while the server could not have the message yet: as good as no attempt. */
  readonly abandoned: boolean;
  /** Nothing was heard in time, which says less than an end of the connection. */
  readonly timedOut: boolean;
  /** What was said until then; undefined: nothing. */
  readonly transcript: Transcript | undefined;

  constructor(message: string, details: SmtpErrorDetails) {
    super(safeDetail(message), details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "SmtpError";
    this.phase = details.phase;
    this.reply = details.reply;
    this.refusedAs = details.refusedAs;
    this.dataBegun = details.dataBegun ?? false;
    this.afterDot = details.afterDot ?? false;
    this.tls = details.tls ?? false;
    this.down = details.down ?? false;
    this.reused = details.reused ?? false;
    this.abandoned = details.abandoned ?? false;
    this.timedOut = details.timedOut ?? false;
    this.transcript = details.transcript;
  }

  /** The same failure with other details. */
  with(details: Partial<SmtpErrorDetails>): SmtpError {
    return new SmtpError(this.message, { ...this, cause: this.cause, ...details });
  }
}

/** The refusal of a server. */
export function refusal(phase: ReplyPhase, reply: SmtpReply, details: { tls?: boolean } = {}): SmtpError {
  return new SmtpError(reply.text, { phase, reply, ...details });
}

/** Nothing more is begun: the process is ending, or the message is another worker's. */
export function abandoned(phase: ReplyPhase): SmtpError {
  return new SmtpError("Hermod ended the attempt before the end of the message", {
    phase,
    abandoned: true,
  });
}

/** What the server answered makes no sense there: as good as no answer. */
export function nonsense(phase: ReplyPhase, { text }: SmtpReply): SmtpError {
  return new SmtpError(`the server sent an unexpected reply: ${text}`, { phase });
}
