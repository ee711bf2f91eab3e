/** Six-byte big-endian integers, as in `Buffer`, but several times faster. */

export const UINT48_BYTES = 6;
const HIGH = 2 ** 32;

/** @returns the position after it */
export function writeUint48(value: number, bytes: Uint8Array, at: number): number {
  const high = Math.floor(value / HIGH);
  const low = value >>> 0;
  bytes[at] = high >>> 8;
  bytes[at + 1] = high;
  bytes[at + 2] = low >>> 24;
  bytes[at + 3] = low >>> 16;
  bytes[at + 4] = low >>> 8;
  bytes[at + 5] = low;
  return at + UINT48_BYTES;
}

export function readUint48(bytes: Uint8Array, at: number): number {
  const byte = (index: number) => bytes[at + index] as number;
  const high = (byte(0) << 8) | byte(1);
  const low = (byte(2) << 24) | (byte(3) << 16) | (byte(4) << 8) | byte(5);
  return high * HIGH + (low >>> 0);
}
