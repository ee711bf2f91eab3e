import { base32Digit, base32Value, isMessageId } from "../../shared/ids.ts";

/** Message ids packed into 17 bytes: 26 characters of five bits. The byte order is the order of the ids. */

export const PACKED_ID_BYTES = 17;
const PREFIX = "msg_";
const CHARACTERS = 26;

/** Whether an id can be packed: true for every id that this program creates. */
export const isPackable = isMessageId;

/** Packs an id. */
export function packId(id: string, into: Buffer, offset: number): void {
  let bits = 0;
  let held = 0;
  let at = offset;
  for (let index = PREFIX.length; index < PREFIX.length + CHARACTERS; index++) {
    held = (held << 5) | base32Value(id.charCodeAt(index));
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      into[at++] = held >> bits;
      held &= (1 << bits) - 1;
    }
  }
  into[at] = held << (8 - bits);
}

/** Unpacks the id at this index. */
export function unpackId(packed: Uint8Array, index: number): string {
  let text = PREFIX;
  let bits = 0;
  let held = 0;
  let at = index * PACKED_ID_BYTES;
  for (let count = 0; count < CHARACTERS; count++) {
    if (bits < 5) {
      held = (held << 8) | (packed[at++] ?? 0);
      bits += 8;
    }
    bits -= 5;
    text += base32Digit((held >> bits) & 31);
    held &= (1 << bits) - 1;
  }
  return text;
}

export function packIds(ids: readonly string[]): Buffer {
  const packed = Buffer.alloc(ids.length * PACKED_ID_BYTES);
  for (const [index, id] of ids.entries()) packId(id, packed, index * PACKED_ID_BYTES);
  return packed;
}
