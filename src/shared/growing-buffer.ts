/** Collects bytes from pieces of any size, in linear time. */
export interface GrowingBuffer {
  append(bytes: Uint8Array): void;
  /** The appended bytes, as a view that is valid until the next change. */
  view(): Buffer;
  /** Empties the buffer and keeps its memory. */
  clear(): void;
}

const FIRST_BYTES = 4 * 1024;

export function createGrowingBuffer(): GrowingBuffer {
  let room = Buffer.allocUnsafe(FIRST_BYTES);
  let length = 0;

  return {
    append: (bytes) => {
      const needed = length + bytes.length;
      if (needed > room.length) {
        const larger = Buffer.allocUnsafe(Math.max(needed, room.length * 2));
        room.copy(larger, 0, 0, length);
        room = larger;
      }
      room.set(bytes, length);
      length = needed;
    },
    view: () => room.subarray(0, length),
    clear: () => {
      length = 0;
    },
  };
}
