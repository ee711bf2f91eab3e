// Bodies over 1 MB are in chunk documents instead of GridFS: a small write waits for one chunk at most, and each chunk
// has the expiry of its message, so MongoDB removes both.

import { Binary, type Db } from "mongodb";
import type { ChunkDocument } from "./message-documents.ts";
import { guarded } from "./store-fault.ts";

/** Larger values are stored outside of their document. This bounds the delay of smaller writes. */
export const INLINE_MAX_BYTES = 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

/** A stored value is unreadable, permanently. The message is the reason. */
export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
}

export type ChunkStore = ReturnType<typeof createChunkStore>;

/** Large values in chunks that expire together with their owner. */
export function createChunkStore(db: Db) {
  const chunks = db.collection<ChunkDocument>("chunks");

  async function put(ownerId: string, n: number, bytes: Uint8Array, expireAt: Date): Promise<void> {
    const fields = { expireAt, data: new Binary(bytes) };
    await guarded(chunks.updateOne({ _id: `${ownerId}.${n}` }, { $set: fields }, { upsert: true }));
  }

  async function remove(ownerId: string, count: number): Promise<void> {
    const ids = Array.from({ length: count }, (_, n) => `${ownerId}.${n}`);
    await guarded(chunks.deleteMany({ _id: { $in: ids } }));
  }

  return {
    /** Writes one chunk of any size. Idempotent. */
    put,

    /** Writes a value and returns the number of its chunks. Idempotent. */
    async write(ownerId: string, bytes: Uint8Array, expireAt: Date): Promise<number> {
      const count = Math.ceil(bytes.length / CHUNK_BYTES);
      for (let n = 0; n < count; n++) {
        await put(ownerId, n, bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES), expireAt);
      }
      return count;
    },

    /** Removes the first `count` chunks of a value. */
    remove,

    /** Removes the chunks that `write` created for a value of at most this size. */
    removeOf: (ownerId: string, sizeBytes: number) => remove(ownerId, Math.ceil(sizeBytes / CHUNK_BYTES)),

    /** @throws UnreadableError if a chunk is missing */
    async read(ownerId: string, count: number): Promise<Buffer> {
      const parts: Uint8Array[] = [];
      for (let n = 0; n < count; n++) {
        const chunk = await guarded(chunks.findOne({ _id: `${ownerId}.${n}` }));
        if (!chunk) throw new UnreadableError(`chunk ${n + 1} of ${count} is missing`);
        parts.push(bytesOf(chunk.data));
      }
      return Buffer.concat(parts);
    },
  };
}

export function bytesOf(binary: Binary): Uint8Array {
  return binary.buffer.subarray(0, binary.position);
}
