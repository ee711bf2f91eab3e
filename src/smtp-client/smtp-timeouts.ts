/** Timeouts of the steps of a conversation, in milliseconds. */
export interface SmtpTimeouts {
  readonly connectMs: number;
  readonly greetingMs: number;
  /** The TLS handshake. */
  readonly handshakeMs: number;
  /** EHLO, HELO, the reply to STARTTLS, and each step of AUTH. */
  readonly ehloMs: number;
  readonly mailMs: number;
  readonly rcptMs: number;
  /** Until the reply to DATA. */
  readonly dataInitiationMs: number;
  /** Until a block of the message is accepted. */
  readonly dataBlockMs: number;
  /** Until the reply to the complete message. A timeout that is too short sends mail twice (RFC 1047). */
  readonly dataTerminationMs: number;
  /** RSET and QUIT. */
  readonly resetMs: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** RFC 5321 section 4.5.3.2, and limits for steps that it does not define. */
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

/** Timeouts of RFC 5321, each at most `longestMs`. */
export function smtpTimeouts(longestMs = Number.POSITIVE_INFINITY): SmtpTimeouts {
  const capped = Object.entries(rfc5321).map(([step, ms]) => [step, Math.min(ms, longestMs)]);
  return { ...rfc5321, ...Object.fromEntries(capped) };
}
