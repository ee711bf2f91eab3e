import * as wire from "dns-packet";

export const HEADER_BYTES = 12;
/** Type and class, after the name of a question. */
export const QUESTION_TAIL_BYTES = 4;
/** Type, class, TTL and the length of RDATA, after the name of a record. */
const RECORD_HEADER_BYTES = 10;
/** No legitimate answer comes near this; the rest is not read. */
const MAX_RECORDS = 256;
const MAX_TTL_SECONDS = 0x7fff_ffff;

/** The message up to the end of the RDATA, and the position of its two length octets. */
export interface Rdata {
  readonly message: Buffer;
  readonly offset: number;
}

export interface RawRecord {
  /** In lower case. */
  readonly owner: string;
  readonly type: number;
  readonly class: number;
  readonly ttlSeconds: number;
  readonly rdata: Rdata;
}

/** Position of the answer section. @throws Error when the message is malformed */
export function startOfAnswers(message: Buffer): number {
  if (message.readUInt16BE(4) === 0) return HEADER_BYTES;
  wire.name.decode(message, HEADER_BYTES);
  return HEADER_BYTES + wire.name.decode.bytes + QUESTION_TAIL_BYTES;
}

/**
 * Visits the records of one section.
 * @returns the position of the next section, if this one was read to its end
 * @throws Error when the message is malformed
 */
export function readSection(
  message: Buffer,
  start: number,
  count: number,
  visit: (record: RawRecord) => void,
): { readonly end: number; readonly complete: boolean } {
  let offset = start;
  for (let i = 0; i < Math.min(count, MAX_RECORDS); i++) {
    const owner = wire.name.decode(message, offset).toLowerCase();
    const header = offset + wire.name.decode.bytes;
    // Reading past the message throws.
    const rdataLength = message.readUInt16BE(header + 8);
    const end = header + RECORD_HEADER_BYTES + rdataLength;
    if (end > message.length) throw new Error("a record is longer than its message");
    const ttl = message.readUInt32BE(header + 4);
    visit({
      owner,
      type: message.readUInt16BE(header),
      class: message.readUInt16BE(header + 2),
      // RFC 2181 section 8
      ttlSeconds: ttl > MAX_TTL_SECONDS ? 0 : ttl,
      rdata: { message: message.subarray(0, end), offset: header + 8 },
    });
    offset = end;
  }
  return { end: offset, complete: count <= MAX_RECORDS };
}
