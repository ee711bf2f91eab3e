import { randomBytes } from "node:crypto";

/** Crockford's base 32: no I, L, O, U; sorts as its values do. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

function randomCharacters(count: number): string {
  let text = "";
  for (const byte of randomBytes(count)) text += ALPHABET.charAt(byte & 31);
  return text;
}

function timeCharacters(ms: number): string {
  let text = "";
  for (let rest = ms, i = 0; i < 10; i++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

export type IdPrefix = "acc" | "cnt" | "key" | "msg" | "snd" | "usr" | "wrk";

/** `prefix_` + 10 characters of time + 16 of chance (80 bits): unique, and in the order of creation to the millisecond. */
export function newId(prefix: IdPrefix, now: Date): string {
  return `${prefix}_${timeCharacters(now.getTime())}${randomCharacters(16)}`;
}

/** A `sx_trace_id`: names one submission in answers, logs, events and SMTP replies. */
export function newTraceId(now: Date): string {
  return `sx_${timeCharacters(now.getTime())}${randomCharacters(16)}`;
}

const TRACE_ID = /^sx_[0-9a-hjkmnp-tv-z]{26}$/;

export function isTraceId(text: string): boolean {
  return TRACE_ID.test(text);
}
