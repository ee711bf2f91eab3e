/** How long each step of a conversation may take, in milliseconds. */
export interface SmtpTimeouts {
  readonly connectMs: number;
  readonly greetingMs: number;
  /** The TLS handshake. */
  readonly handshakeMs: number;
  /** EHLO, HELO, the answer to STARTTLS, each step of AUTH. */
  readonly ehloMs: number;
  readonly mailMs: number;
  readonly rcptMs: number;
  /** Until the server wants the message. */
  readonly dataInitiationMs: number;
  /** Until it has taken a block of the message. */
  readonly dataBlockMs: number;
  /** Until it answers for the message. Too short a wait here sends mail twice (RFC 1047). */
  readonly dataTerminationMs: number;
  /** RSET and QUIT. */
  readonly resetMs: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** RFC 5321 section 4.5.3.2; what it leaves open is bounded too. */
const rfc5321: SmtpTimeouts = {
  connectMs: 30 * SECOND_MS,
  greetingMs: 5 * MINUTE_MS,
  handshakeMs: MINUTE_MS,
  ehloMs: 5 * MINUTE_MS,
  mailMs: 5 * MINUTE_MS,
  rcptMs: 5 * MINUTE_MS,
  dataInitiationMs: 2 * MINUTE_MS,
  dataBlockMs: 3 * MINUTE_MS,
  dataTerminationMs: 10 * MINUTE_MS,
  resetMs: 30 * SECOND_MS,
};

/** RFC 5321's time-outs, none of them longer than `longestMs`. */
export function smtpTimeouts(longestMs = Number.POSITIVE_INFINITY): SmtpTimeouts {
  const capped = Object.entries(rfc5321).map(([step, ms]) => [step, Math.min(ms, longestMs)]);
  return { ...rfc5321, ...Object.fromEntries(capped) };
}
