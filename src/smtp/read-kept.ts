import type { Readable } from "node:stream";
import { fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";

/** Capacity of a process for octets of mails in memory. */
export interface Capacity {
  /** False: the capacity is exceeded, and the octets are not added. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function createCapacity(maxBytes: number): Capacity {
  let used = 0;
  return {
    take: (bytes) => {
      if (used + bytes > maxBytes) return false;
      used += bytes;
      return true;
    },
    give: (bytes) => {
      used -= bytes;
    },
  };
}

export interface KeptSource {
  /** First octets of the mail. */
  readonly source: Buffer;
  /** Size of the complete mail. */
  readonly sizeBytes: number;
}

/**
 * Calls `use` with the first octets of a stream, and reads the stream to its end.
 * @param room missing: the retained octets are too few to need a limit
 * @throws Fault service.busy: there is no capacity; and every error of `use`
 */
export async function useKept<T>(
  stream: Readable,
  { maxBytes, capacity }: { readonly maxBytes: number; readonly capacity?: Capacity | undefined },
  use: (kept: KeptSource) => Promise<T>,
): Promise<T> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  let keptBytes = 0;
  let isFull = false;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      const part = chunk.subarray(0, maxBytes - keptBytes);
      isFull ||= part.length > 0 && capacity?.take(part.length) === false;
      if (isFull) continue;
      keptBytes += part.length;
      if (part.length > 0) chunks.push(part);
    }
    if (isFull) throw fault("service.busy", { public: say("many_large_mails_coming_try_again") });
    return await use({ source: Buffer.concat(chunks), sizeBytes });
  } finally {
    capacity?.give(keptBytes);
  }
}
