import { base32Digit, base32Value, isMessageId } from "../../shared/ids.ts";

/** Ids of messages in 17 bytes each: their 26 characters have five bits each. Bytes sort as the ids do. */

export const PACKED_ID_BYTES = 17;
const PREFIX = "msg_";
const CHARACTERS = 26;

/** Whether an id can be packed: every one that this program makes. */
export const isPackable = isMessageId;

/** Writes an id that can be packed. */
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

/** Reads the id that is the `index`th of those packed one behind the other. */
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
