import { createGrowingBuffer } from "../shared/growing-buffer.ts";
import type { ChunkStore } from "./chunk-store.ts";

/** A finished message on its way into the store. */
export interface Upload {
  /** Resolves when there is room for more: to be waited for before the next piece. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves to the body when all of it is stored, or in memory because it is small. */
  finish(): Promise<
    | { readonly kind: "uploaded"; readonly chunkCount: number }
    | { readonly kind: "raw"; readonly source: Buffer }
  >;
  /** Removes what was stored; without this it goes when it expires. */
  abort(): Promise<void>;
}

export interface UploadOptions {
  readonly chunks: Pick<ChunkStore, "put" | "remove">;
  readonly id: string;
  readonly expireAt: Date;
}

/** Small, for as much of every upload under way is in memory, twice while it is written. */
const CHUNK_BYTES = 256 * 1024;

export function createUpload({ chunks, id, expireAt }: UploadOptions): Upload {
  const waiting = createGrowingBuffer();
  let chunkCount = 0;

  async function flush(): Promise<void> {
    // Counted first: what may have been written has to be removed.
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
