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
  let buffer = Buffer.allocUnsafe(FIRST_BYTES);
  let length = 0;

  return {
    append: (bytes) => {
      const needed = length + bytes.length;
      if (needed > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(needed, buffer.length * 2));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      buffer.set(bytes, length);
      length = needed;
    },
    view: () => buffer.subarray(0, length),
    clear: () => {
      length = 0;
    },
  };
}
