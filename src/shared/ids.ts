import { createHash, randomUUID } from "node:crypto";

/** Crockford's base 32: no I, L, O, U; sorts as its values do. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** 16 characters of chance, about 80 bits. */
function randomCharacters(): string {
  // The cheapest source of random bytes there is: it draws on a pool of its own.
  const hex = randomUUID();
  let text = "";
  for (let at = 0; at < hex.length; at++) {
    if (hex[at] === "-") continue;
    const high = hexDigit(hex, at++) & 1;
    text += ALPHABET[(high << 4) | hexDigit(hex, at)];
  }
  return text;
}

function hexDigit(hex: string, at: number): number {
  const code = hex.charCodeAt(at);
  return code <= 0x39 ? code - 0x30 : code - 0x61 + 10;
}

function timeCharacters(ms: number): string {
  let text = "";
  for (let rest = ms, i = 0; i < 10; i++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

export type IdPrefix = "acc" | "key" | "msg" | "snd" | "sub" | "usr" | "wrk";

/** `prefix_` + 10 characters of time + 16 of chance: unique, and in the order of creation to the millisecond. */
export function newId(prefix: IdPrefix, now: Date): string {
  return `${prefix}_${timeCharacters(now.getTime())}${randomCharacters()}`;
}

/**
 * The id of a message that follows from another one: the same for the same purpose, however often it is asked for. It
 * sorts beside that message's.
 */
export function derivedMessageId(messageId: string, purpose: string): string {
  const digest = createHash("sha256").update(`${messageId} ${purpose}`).digest();
  let text = "";
  for (const byte of digest.subarray(0, 16)) text += ALPHABET.charAt(byte & 31);
  return `${messageId.slice(0, "msg_".length + 10)}${text}`;
}

const SUBMISSION_ID = /^sub_[0-9a-hjkmnp-tv-z]{26}$/;

/** Whether a text is an id as `newId("sub", …)` makes them. */
export function isSubmissionId(text: string): boolean {
  return SUBMISSION_ID.test(text);
}

/**
 * The id of one of the messages of a submission that may be repeated: the same each time, so that the store itself
 * refuses the second one.
 */
export function submittedMessageId(submissionId: string, accountId: string, position: number): string {
  return derivedMessageId(submissionId.replace("sub", "msg"), `${accountId} ${position}`);
}

/** A `sx_trace_id`: names one submission in answers, logs, events and SMTP replies. */
export function newTraceId(now: Date): string {
  return `sx_${timeCharacters(now.getTime())}${randomCharacters()}`;
}

const MESSAGE_ID = /^msg_[0-9a-hjkmnp-tv-z]{26}$/;

export function isMessageId(text: string): boolean {
  return MESSAGE_ID.test(text);
}

const TRACE_ID = /^sx_[0-9a-hjkmnp-tv-z]{26}$/;

export function isTraceId(text: string): boolean {
  return TRACE_ID.test(text);
}
