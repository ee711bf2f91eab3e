import { PACKED_ID_BYTES, packId, unpackId } from "./packed-ids.ts";
import type { TermGroups } from "./terms.ts";
import { readUint48, UINT48_BYTES, writeUint48 } from "./uint48.ts";

/** Search terms of messages that were stored together, per message: id, number of terms (2 bytes), terms. */

export interface IndexedMessage {
  readonly id: string;
  readonly terms: readonly number[];
}

const COUNT_BYTES = 2;
const MAX_TERMS = 0xffff;

export function encodeBatch(messages: readonly IndexedMessage[]): Buffer {
  const size = messages.reduce(
    (sum, { terms }) =>
      sum + PACKED_ID_BYTES + COUNT_BYTES + Math.min(terms.length, MAX_TERMS) * UINT48_BYTES,
    0,
  );
  const bytes = Buffer.alloc(size);
  let at = 0;
  for (const { id, terms } of messages) {
    const kept = terms.slice(0, MAX_TERMS);
    packId(id, bytes, at);
    at = bytes.writeUInt16BE(kept.length, at + PACKED_ID_BYTES);
    for (const term of kept) at = writeUint48(term, bytes, at);
  }
  return bytes;
}

export function* decodeBatch(bytes: Buffer): Generator<IndexedMessage, void> {
  for (let at = 0; at < bytes.length; ) {
    const id = unpackId(bytes.subarray(at), 0);
    const count = bytes.readUInt16BE(at + PACKED_ID_BYTES);
    at += PACKED_ID_BYTES + COUNT_BYTES;
    const terms: number[] = [];
    for (let index = 0; index < count; index++, at += UINT48_BYTES) terms.push(readUint48(bytes, at));
    yield { id, terms };
  }
}

/** The ids of messages that have a term of each group. */
export function findInBatch(bytes: Buffer, groups: TermGroups): string[] {
  const found: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    const count = bytes.readUInt16BE(at + PACKED_ID_BYTES);
    at += PACKED_ID_BYTES + COUNT_BYTES;
    const terms = new Set<number>();
    for (let index = 0; index < count; index++, at += UINT48_BYTES) terms.add(readUint48(bytes, at));
    const meets = groups.every((group) => group.some((term) => terms.has(term)));
    if (meets) found.push(unpackId(bytes.subarray(start), 0));
  }
  return found;
}
