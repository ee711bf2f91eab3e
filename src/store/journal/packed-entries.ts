import { Binary } from "mongodb";
import { base32Code, base32Value } from "../../shared/ids.ts";
import { bytesOf } from "../chunk-store.ts";
import type { JournalEntry } from "./journal-documents.ts";

/** Entries of one document, of about 35 bytes each instead of 300. */
export interface PackedEntries {
  /** Accounts, kinds, categories and counted facts, each once. */
  readonly names: readonly string[];
  readonly packed: Binary;
}

const PREFIX = "msg_";
const TIME_DIGITS = 10;
const ID_DIGITS = 26;
const TIME_BYTES = 6;
const ID_BYTES = 16;
const MAX_TIME_MS = 2 ** 48;

/** Flags of an entry. */
const IS_EVENT = 1;
/** The event's id follows from message, attempt and kind. */
const IS_REGULAR = 2;
/** The message's id has the form of `newId`. */
const IS_SHORT = 4;
const IS_FIRST = 8;
const HAS_DUE = 16;
const HAS_TAGS = 32;
const FIRST_FACT = 64;

/** Optional fields with one name. The flag of each is twice that of the one before it. */
const facts = ["category", "provider", "sender", "policy", "source", "key", "template"] as const;
const factFlags = facts.map((fact, index) => [fact, FIRST_FACT * 2 ** index] as const);

type Filled = { -readonly [Field in keyof JournalEntry]: JournalEntry[Field] };

/** Packs the entries of one document. */
export function createPacker() {
  const names = new Map<string, number>();
  const out = createWriter();
  let nameBytes = 0;

  function name(text: string): void {
    let known = names.get(text);
    if (known === undefined) {
      known = names.size;
      names.set(text, known);
      nameBytes += Buffer.byteLength(text);
    }
    out.number(known);
  }

  return {
    add(entry: JournalEntry): void {
      const { eventId, messageId, accountId, kind, at, attempt, tags, dueAt } = entry;
      const id = shortId(messageId);
      const isRegular = eventId === `${messageId}.${attempt}.${kind}`;
      const present = factFlags.filter(([fact]) => entry[fact] !== undefined);
      out.number(
        (eventId === undefined ? 0 : IS_EVENT) +
          (isRegular ? IS_REGULAR : 0) +
          (id ? IS_SHORT : 0) +
          (entry.first ? IS_FIRST : 0) +
          (dueAt ? HAS_DUE : 0) +
          (tags ? HAS_TAGS : 0) +
          present.reduce((sum, [, flag]) => sum + flag, 0),
      );
      name(accountId);
      name(kind);
      if (id) out.bytes(id);
      else out.text(messageId);
      out.number(attempt);
      out.signed(at.getTime() - (id ? id.readUIntBE(0, TIME_BYTES) : 0));
      if (eventId !== undefined && !isRegular) out.text(eventId);
      if (dueAt) out.signed(at.getTime() - dueAt.getTime());
      if (tags) {
        out.number(tags.length);
        for (const tag of tags) name(tag);
      }
      for (const [fact] of present) name(entry[fact] ?? "");
    },
    bytes: () => nameBytes + out.length(),
    end: (): PackedEntries => ({ names: [...names.keys()], packed: new Binary(out.end()) }),
  };
}

/** @throws RangeError for bytes that no packer wrote */
export function unpackEntries({ names, packed }: PackedEntries): JournalEntry[] {
  const read = createReader(bytesOf(packed));
  const name = () => {
    const text = names[read.number()];
    if (text === undefined) throw new RangeError("packed entries name what the document does not have");
    return text;
  };
  const entries: JournalEntry[] = [];
  while (!read.isAtEnd()) {
    const flags = read.number();
    const accountId = name();
    const kind = name() as JournalEntry["kind"];
    const id = flags & IS_SHORT ? read.bytes(ID_BYTES) : undefined;
    const messageId = id ? longId(id) : read.text();
    const attempt = read.number();
    const at = new Date(read.signed() + (id ? id.readUIntBE(0, TIME_BYTES) : 0));
    const regular = flags & IS_REGULAR ? `${messageId}.${attempt}.${kind}` : undefined;
    const eventId = flags & IS_EVENT ? (regular ?? read.text()) : undefined;
    const dueAt = flags & HAS_DUE ? new Date(at.getTime() - read.signed()) : undefined;
    const tags = flags & HAS_TAGS ? Array.from({ length: read.number() }, name) : undefined;
    const entry: Filled = { messageId, accountId, kind, at, attempt };
    if (eventId !== undefined) entry.eventId = eventId;
    if (flags & IS_FIRST) entry.first = true;
    if (dueAt) entry.dueAt = dueAt;
    if (tags) entry.tags = tags;
    for (const [fact, flag] of factFlags) if (flags & flag) entry[fact] = name();
    entries.push(entry);
  }
  return entries;
}

/** The bytes of an id of a message; undefined: it has another form. */
function shortId(messageId: string): Buffer | undefined {
  if (messageId.length !== PREFIX.length + ID_DIGITS || !messageId.startsWith(PREFIX)) return undefined;
  const digits = messageId.slice(PREFIX.length);
  const bytes = Buffer.alloc(ID_BYTES);
  let timeMs = 0;
  for (let at = 0; at < TIME_DIGITS; at++) timeMs = timeMs * 32 + base32Value(digits.charCodeAt(at));
  if (timeMs >= MAX_TIME_MS) return undefined;
  bytes.writeUIntBE(timeMs, 0, TIME_BYTES);
  let bits = 0;
  let held = 0;
  let end = TIME_BYTES;
  for (let at = TIME_DIGITS; at < ID_DIGITS; at++) {
    bits = (bits << 5) | base32Value(digits.charCodeAt(at));
    held += 5;
    if (held < 8) continue;
    held -= 8;
    bytes[end++] = (bits >>> held) & 0xff;
    bits &= (1 << held) - 1;
  }
  // A character that no id has.
  return longId(bytes) === messageId ? bytes : undefined;
}

/** Joining 30 texts would keep each of them in memory. */
const scratch = Buffer.from(PREFIX.padEnd(PREFIX.length + ID_DIGITS));

function longId(bytes: Buffer): string {
  let timeMs = bytes.readUIntBE(0, TIME_BYTES);
  for (let at = PREFIX.length + TIME_DIGITS - 1; at >= PREFIX.length; at--) {
    scratch[at] = base32Code(timeMs % 32);
    timeMs = Math.floor(timeMs / 32);
  }
  let end = PREFIX.length + TIME_DIGITS;
  let bits = 0;
  let held = 0;
  for (let at = TIME_BYTES; at < ID_BYTES; at++) {
    bits = (bits << 8) | (bytes[at] ?? 0);
    held += 8;
    while (held >= 5) {
      held -= 5;
      scratch[end++] = base32Code((bits >>> held) & 31);
      bits &= (1 << held) - 1;
    }
  }
  return scratch.toString("latin1");
}

/** Numbers have seven bits in each byte, and texts their length before them. */
function createWriter() {
  let buffer = Buffer.allocUnsafe(4_096);
  let end = 0;

  function reserve(bytes: number): void {
    if (end + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, end + bytes));
    buffer.copy(larger, 0, 0, end);
    buffer = larger;
  }
  function number(value: number): void {
    reserve(8);
    let rest = value;
    while (rest >= 128) {
      buffer[end++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    buffer[end++] = rest;
  }
  function bytes(added: Uint8Array): void {
    reserve(added.length);
    buffer.set(added, end);
    end += added.length;
  }

  return {
    number,
    /** A difference of times: negative ones are odd. */
    signed: (value: number) => number(value < 0 ? -2 * value - 1 : 2 * value),
    bytes,
    text(value: string): void {
      const encoded = Buffer.from(value);
      number(encoded.length);
      bytes(encoded);
    },
    length: () => end,
    end: () => buffer.subarray(0, end),
  };
}

function createReader(source: Uint8Array) {
  const buffer = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  let at = 0;

  function number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = buffer[at++];
      if (byte === undefined) throw new RangeError("packed entries end within a number");
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }
  function bytes(length: number): Buffer {
    if (at + length > buffer.length) throw new RangeError("packed entries end within an entry");
    at += length;
    return buffer.subarray(at - length, at);
  }

  return {
    number,
    signed(): number {
      const value = number();
      return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    },
    bytes,
    text: () => bytes(number()).toString(),
    isAtEnd: () => at === buffer.length,
  };
}
