import { safeDetail, type Transcript } from "../message/replies/outcome.ts";
import type { ReplyPhase } from "../message/replies/reply-rule.ts";
import { type Phrase, PhraseError, phrase } from "../shared/phrase.ts";

/** Reply of a server. */
export interface SmtpReply {
  readonly code: number;
  /** Lines as received, with their codes, joined by "\n". Untrusted text. */
  readonly text: string;
  /** For the end of a message: the server supports DSN (RFC 3461) and sends the requested notices itself. */
  readonly takesOverDsn?: true;
  /** Transcript of the message before the reply. */
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

/** A connection or a transaction that failed. Its message is safe to show. */
export class SmtpError extends PhraseError {
  /** Last phase, or the phase of the reply. */
  readonly phase: ReplyPhase;
  /** The refusal; undefined: no reply was received. */
  readonly reply: SmtpReply | undefined;
  /** RFC 3463. This side refused permanently before it sent any part of the message, because the server cannot accept it. */
  readonly refusedAs: string | undefined;
  /**
   * The server may have the message: its final dot, or a part of it, was written to the socket after everything else
   * was accepted, and no reply arrived. A message that was lost earlier was never accepted (RFC 5321 section 4.1.1.4)
   * and may be sent again immediately.
   */
  readonly dataBegun: boolean;
  /** The reply is for the complete message, not for a command. */
  readonly afterDot: boolean;
  /** TLS failed, not the connection below it: not offered, refused, broken, or not as demanded. */
  readonly tls: boolean;
  /** The server is unreachable: no connection, or no greeting in time. Another message would also fail. */
  readonly down: boolean;
  /** The connection had served other messages before. A fresh connection may succeed. */
  readonly reused: boolean;
  /** This side ended the attempt while the server could not have the message yet. It does not count as an attempt. */
  readonly abandoned: boolean;
  /** A timeout, which is less certain than the end of the connection. */
  readonly timedOut: boolean;
  /** Transcript until the error; undefined: none. */
  readonly transcript: Transcript | undefined;

  constructor({ text, parts }: Phrase, details: SmtpErrorDetails) {
    super(
      { text: safeDetail(text), parts },
      details.cause === undefined ? undefined : { cause: details.cause },
    );
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
    return new SmtpError(
      { text: this.message, parts: this.parts },
      { ...this, cause: this.cause, ...details },
    );
  }
}

/** The refusal of a server. */
export function refusal(phase: ReplyPhase, reply: SmtpReply, details: { tls?: boolean } = {}): SmtpError {
  return new SmtpError({ text: reply.text, parts: [] }, { phase, reply, ...details });
}

/** No more work is started: the process is ending, or another worker has the message. */
export function abandoned(phase: ReplyPhase): SmtpError {
  const text = "Hermod ended the attempt before the end of the message";
  return new SmtpError(
    { text, parts: [] },
    {
      phase,
      abandoned: true,
    },
  );
}

/** The reply is not valid in this phase, and counts as no reply. */
export function nonsense(phase: ReplyPhase, { text }: SmtpReply): SmtpError {
  return new SmtpError(phrase("server.unexpected_reply", { detail: text }), { phase });
}
