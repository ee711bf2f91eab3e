import { createHash, randomUUID } from "node:crypto";

/** Crockford's base 32: no I, L, O, U; sorts as its values do. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

const VALUES = new Map([...ALPHABET].map((character, value) => [character.charCodeAt(0), value]));

/** The five bits of a character of an id, by its code; 0: it is none. */
export function base32Value(characterCode: number): number {
  return VALUES.get(characterCode) ?? 0;
}

/** The character of an id for five bits. */
export function base32Digit(value: number): string {
  return ALPHABET.charAt(value);
}

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

const TIME_CHARACTERS = 10;

function timeCharacters(ms: number): string {
  let text = "";
  for (let rest = ms, i = 0; i < TIME_CHARACTERS; i++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

export type IdPrefix =
  | "acc"
  | "cl"
  | "dom"
  | "rpt"
  | "rsc"
  | "wch"
  | "ws"
  | "alr"
  | "aud"
  | "chg"
  | "dev"
  | "era"
  | "evt"
  | "inc"
  | "inh"
  | "inv"
  | "job"
  | "jnl"
  | "jnw"
  | "key"
  | "req"
  | "rev"
  | "rul"
  | "ses"
  | "sil"
  | "snd"
  | "sub"
  | "usr"
  | "wrk"
  | "wep"
  | "wte";

/** `prefix_` + 10 characters of time + 16 of chance: unique, and in the order of creation to the millisecond. */
export function newId(prefix: IdPrefix, now: Date): string {
  return freshId(prefix, now);
}

function freshId(prefix: string, now: Date): string {
  return `${prefix}_${timeCharacters(now.getTime())}${randomCharacters()}`;
}

const SEQUENCE_CHARACTERS = 3;

/** Makes ids as `newId` does; those that one maker makes in one millisecond are in the order of creation, too. */
export function createIdsInOrder(prefix: IdPrefix): (now: Date) => string {
  let lastMs = 0;
  let sequence = 0;
  return (now) => {
    const ms = now.getTime();
    sequence = ms === lastMs ? sequence + 1 : 0;
    lastMs = ms;
    const id = freshId(prefix, now);
    const timeEnd = prefix.length + 1 + 10;
    const order = timeCharacters(sequence).slice(-SEQUENCE_CHARACTERS);
    return id.slice(0, timeEnd) + order + id.slice(timeEnd + SEQUENCE_CHARACTERS);
  };
}

/** Lies before all ids of this prefix that were made at this time or later, and behind all others. */
export function idBound(prefix: IdPrefix | "msg", time: Date): string {
  return `${prefix}_${timeCharacters(Math.max(0, time.getTime()))}`;
}

/** When an id was made, to the millisecond; 1970: it is none that `newId` makes. */
export function timeOfId(id: string): Date {
  const start = id.indexOf("_") + 1;
  let ms = 0;
  for (let at = start; at < start + TIME_CHARACTERS; at++) {
    const value = ALPHABET.indexOf(id.charAt(at));
    if (value < 0 || id.length < start + TIME_CHARACTERS) return new Date(0);
    ms = ms * 32 + value;
  }
  return new Date(ms);
}

/** Messages, their contents and their events are spread over so many buckets, by which a database can be sharded. */
export const BUCKETS = 65_536;

/** Characters of an id that carry its bucket, in their lowest 16 bits; the others are chance as those before them. */
const BUCKET_CHARACTERS = 4;

/** The bucket of what is known by these names: they alone decide it, so that whoever repeats a request finds it. */
export function bucketOfNames(...names: readonly string[]): number {
  return createHash("sha256").update(names.join("\0")).digest().readUInt16BE(0);
}

/** The bucket of what is stored under an idempotency key: a retry looks there, and the unique index guards it there. */
export function bucketOfKey(accountId: string, operation: string, idempotencyKey: string): number {
  return bucketOfNames(accountId, operation, idempotencyKey);
}

/** The bucket that an id carries: of a message, of a content, or of anything that was given one by an early release. */
export function bucketOf(id: string): number {
  let value = 0;
  for (const character of id.slice(-BUCKET_CHARACTERS))
    value = value * 32 + Math.max(0, ALPHABET.indexOf(character));
  return value % BUCKETS;
}

/** Puts a bucket into an id, in place of the characters that it would have there. */
function inBucket(id: string, bucket: number): string {
  const start = id.length - BUCKET_CHARACTERS;
  const first = (ALPHABET.indexOf(id.charAt(start)) & ~1) | (bucket >> 15);
  let text = id.slice(0, start) + ALPHABET.charAt(first);
  for (const shift of [10, 5, 0]) text += ALPHABET.charAt((bucket >> shift) & 31);
  return text;
}

/** The id of a message or of a content: as `newId`, and the bucket is read off it. */
export function newIdInBucket(prefix: "msg" | "cnt", now: Date, bucket: number): string {
  return inBucket(freshId(prefix, now), bucket);
}

/**
 * The id of a message that follows from another one: the same for the same purpose, however often it is asked for. It
 * sorts beside that message's, and is in its bucket.
 */
export function derivedMessageId(messageId: string, purpose: string): string {
  return inBucket(digestId(messageId, purpose), bucketOf(messageId));
}

/**
 * The same for a message that is made at another time: it sorts by that, as what is accepted then does.
 * @param at the same each time
 */
export function derivedMessageIdAt(at: Date, messageId: string, purpose: string): string {
  const derived = derivedMessageId(messageId, purpose);
  return `msg_${timeCharacters(at.getTime())}${derived.slice("msg_".length + TIME_CHARACTERS)}`;
}

function digestId(messageId: string, purpose: string): string {
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

/** The messages of a submission that may be repeated: their ids are the same each time, so that the store refuses it. */
export interface SubmittedIds {
  /** What the id of the first one begins with, whatever its bucket: nothing else begins so. */
  readonly firstPrefix: string;
  /** The bucket of all of them, unless an idempotency key decides it. */
  readonly bucket: number;
  /** @param position the recipient's, from 0 */
  at(position: number, bucket: number): string;
}

export function submittedIds(submissionId: string, accountId: string): SubmittedIds {
  const idAt = (position: number) => digestId(submissionId.replace("sub", "msg"), `${accountId} ${position}`);
  const first = idAt(0);
  return {
    firstPrefix: first.slice(0, -BUCKET_CHARACTERS),
    bucket: bucketOf(first),
    at: (position, bucket) => inBucket(position === 0 ? first : idAt(position), bucket),
  };
}

/** A `sx_trace_id`: names one submission in answers, logs, events and SMTP replies. */
export function newTraceId(now: Date): string {
  return freshId("sx", now);
}

/** When a trace id was made, to the millisecond; undefined: it is none. */
export function traceTime(traceId: string): Date | undefined {
  if (!isTraceId(traceId)) return undefined;
  let ms = 0;
  for (const character of traceId.slice("sx_".length, "sx_".length + 10)) {
    ms = ms * 32 + ALPHABET.indexOf(character);
  }
  return new Date(ms);
}

/**
 * The id of a document that is made of a part of something, the same however often it is made. Ids of one time are in the
 * order of the parts.
 * @param names of the whole, and of whatever else tells it from others
 */
export function idOfPart(prefix: IdPrefix, at: Date, part: number, names: readonly string[]): string {
  const digest = createHash("sha256").update(names.join("\0")).digest();
  let text = `${prefix}_${timeCharacters(Math.max(0, at.getTime()))}`;
  text += timeCharacters(part).slice(-SEQUENCE_CHARACTERS);
  for (const byte of digest.subarray(0, 16 - SEQUENCE_CHARACTERS)) text += ALPHABET.charAt(byte & 31);
  return text;
}

/** True for what `newId` makes with this prefix. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(text.slice(prefix.length + 1));
}

const MESSAGE_ID = /^msg_[0-9a-hjkmnp-tv-z]{26}$/;

export function isMessageId(text: string): boolean {
  return MESSAGE_ID.test(text);
}

const TRACE_ID = /^sx_[0-9a-hjkmnp-tv-z]{26}$/;

export function isTraceId(text: string): boolean {
  return TRACE_ID.test(text);
}
