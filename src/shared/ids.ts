import { createHash, randomUUID } from "node:crypto";

/** Crockford's base 32: no I, L, O, U; sorts by value. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

const VALUES = new Map([...ALPHABET].map((character, value) => [character.charCodeAt(0), value]));

/** The five bits of a character of an id, by its code; 0: it is not one. */
export function base32Value(characterCode: number): number {
  return VALUES.get(characterCode) ?? 0;
}

/** The character of an id for five bits. */
export function base32Digit(value: number): string {
  return ALPHABET.charAt(value);
}

/** The code of that character. */
export function base32Code(value: number): number {
  return ALPHABET.charCodeAt(value);
}

/** 16 random characters, about 80 bits. */
function randomCharacters(): string {
  // The cheapest source of random bytes, with its own pool.
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
  | "rpl"
  | "rpt"
  | "rsc"
  | "wch"
  | "ws"
  | "alr"
  | "atg"
  | "aud"
  | "chg"
  | "dev"
  | "era"
  | "evt"
  | "hbt"
  | "inc"
  | "inh"
  | "inv"
  | "job"
  | "jnl"
  | "jnw"
  | "key"
  | "ntc"
  | "req"
  | "oco"
  | "ocs"
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

/** `prefix_` + 10 characters of time + 16 random ones: unique, and in the order of creation to the millisecond. */
export function newId(prefix: IdPrefix, now: Date): string {
  return freshId(prefix, now);
}

function freshId(prefix: string, now: Date): string {
  return `${prefix}_${timeCharacters(now.getTime())}${randomCharacters()}`;
}

const SEQUENCE_CHARACTERS = 3;

/** Creates ids like `newId`. Ids of one maker are also in the order of creation within a millisecond. */
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

/** Sorts before all ids of this prefix from this time or later, and after all others. */
export function idBound(prefix: IdPrefix | "msg", time: Date): string {
  return `${prefix}_${timeCharacters(Math.max(0, time.getTime()))}`;
}

/** Creation time of an id, to the millisecond; 1970: not an id of `newId`. */
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

/** Number of buckets for messages, their contents and their events, by which a database can be sharded. */
export const BUCKETS = 65_536;

/** Characters of an id with its bucket, in their lowest 16 bits. The others are random like those before them. */
const BUCKET_CHARACTERS = 4;

/** Bucket of a resource with these names. Only the names determine it, so that a repeated request finds it. */
export function bucketOfNames(...names: readonly string[]): number {
  return createHash("sha256").update(names.join("\0")).digest().readUInt16BE(0);
}

/** Bucket of data under an idempotency key. A retry searches there, and the unique index applies there. */
export function bucketOfKey(accountId: string, operation: string, idempotencyKey: string): number {
  return bucketOfNames(accountId, operation, idempotencyKey);
}

/** Bucket in the id of a message, of a content, or of a resource that got one in an early release. */
export function bucketOf(id: string): number {
  let value = 0;
  for (const character of id.slice(-BUCKET_CHARACTERS))
    value = value * 32 + Math.max(0, ALPHABET.indexOf(character));
  return value % BUCKETS;
}

/** Puts a bucket into an id, in place of its random characters. */
function inBucket(id: string, bucket: number): string {
  const start = id.length - BUCKET_CHARACTERS;
  const first = (ALPHABET.indexOf(id.charAt(start)) & ~1) | (bucket >> 15);
  let text = id.slice(0, start) + ALPHABET.charAt(first);
  for (const shift of [10, 5, 0]) text += ALPHABET.charAt((bucket >> shift) & 31);
  return text;
}

/** Id of a message or a content: like `newId`, and it contains the bucket. */
export function newIdInBucket(prefix: "msg" | "cnt", now: Date, bucket: number): string {
  return inBucket(freshId(prefix, now), bucket);
}

/**
 * Id of a message derived from another one: the same for the same purpose each time. It sorts next to that message, and
 * is in its bucket.
 */
export function derivedMessageId(messageId: string, purpose: string): string {
  return inBucket(digestId(messageId, purpose), bucketOf(messageId));
}

/**
 * The same for a message that is created at another time: it sorts by that time, like messages accepted then.
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

/** Whether a text is an id of `newId("sub", …)`. */
export function isSubmissionId(text: string): boolean {
  return SUBMISSION_ID.test(text);
}

/** Ids of the messages of a repeatable submission: they are the same each time, so that the store refuses duplicates. */
export interface SubmittedIds {
  /** Start of the id of the first message, in any bucket. No other id starts with it. */
  readonly firstPrefix: string;
  /** Bucket of all messages, unless an idempotency key determines it. */
  readonly bucket: number;
  /** @param position of the recipient, from 0 */
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

/** A `sx_trace_id`: identifies one submission in responses, logs, events and SMTP replies. */
export function newTraceId(now: Date): string {
  return freshId("sx", now);
}

/** Creation time of a trace id, to the millisecond; undefined: not a trace id. */
export function traceTime(traceId: string): Date | undefined {
  if (!isTraceId(traceId)) return undefined;
  let ms = 0;
  for (const character of traceId.slice("sx_".length, "sx_".length + 10)) {
    ms = ms * 32 + ALPHABET.indexOf(character);
  }
  return new Date(ms);
}

/**
 * Id of a document for one part of a whole, the same each time. Ids of one time are in the order of the parts.
 * @param names of the whole, and of every other distinguishing property
 */
export function idOfPart(prefix: IdPrefix, at: Date, part: number, names: readonly string[]): string {
  const digest = createHash("sha256").update(names.join("\0")).digest();
  let text = `${prefix}_${timeCharacters(Math.max(0, at.getTime()))}`;
  text += timeCharacters(part).slice(-SEQUENCE_CHARACTERS);
  for (const byte of digest.subarray(0, 16 - SEQUENCE_CHARACTERS)) text += ALPHABET.charAt(byte & 31);
  return text;
}

/** Whether a text is an id of `newId` with this prefix. */
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
