import { createGrowingBuffer } from "../shared/growing-buffer.ts";
import type { ChunkStore } from "./chunk-store.ts";

/** A complete message that is being stored. */
export interface Upload {
  /** Resolves when there is capacity for more. Await it before the next piece. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves to the body when it is completely stored, or kept in memory because it is small. */
  finish(): Promise<
    | { readonly kind: "uploaded"; readonly chunkCount: number }
    | { readonly kind: "raw"; readonly source: Buffer }
  >;
  /** Removes the stored parts. Otherwise they are removed when they expire. */
  abort(): Promise<void>;
}

export interface UploadOptions {
  readonly chunks: Pick<ChunkStore, "put" | "remove">;
  readonly id: string;
  readonly expireAt: Date;
}

/** Small, because each running upload keeps this much in memory, twice while it is written. */
const CHUNK_BYTES = 256 * 1024;

export function createUpload({ chunks, id, expireAt }: UploadOptions): Upload {
  const waiting = createGrowingBuffer();
  let chunkCount = 0;

  async function flush(): Promise<void> {
    // Counted before the write: a chunk that may have been written has to be removed.
    await chunks.put(id, chunkCount++, waiting.view(), expireAt);
    waiting.clear();
  }

  return {
    write: async (bytes) => {
      waiting.append(bytes);
      if (waiting.view().length >= CHUNK_BYTES) await flush();
    },
    finish: async () => {
      if (chunkCount === 0) return { kind: "raw", source: Buffer.from(waiting.view()) };
      if (waiting.view().length > 0) await flush();
      return { kind: "uploaded", chunkCount };
    },
    abort: async () => {
      if (chunkCount > 0) await chunks.remove(id, chunkCount);
    },
  };
}
