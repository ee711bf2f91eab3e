import type { Readable } from "node:stream";
import { fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";

/** Octets of mails that a process may have in memory together. */
export interface Room {
  /** False: there are so many already, and these are not added. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function createRoom(maxBytes: number): Room {
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
  /** The first octets. */
  readonly source: Buffer;
  /** Of the whole. */
  readonly sizeBytes: number;
}

/**
 * Uses the first so many octets of a stream, which is read to its end.
 * @param room missing: so few are kept that it does not matter
 * @throws Fault service.busy: there is no room, and whatever `use` throws
 */
export async function useKept<T>(
  stream: Readable,
  { maxBytes, room }: { readonly maxBytes: number; readonly room?: Room | undefined },
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
      isFull ||= part.length > 0 && room?.take(part.length) === false;
      if (isFull) continue;
      keptBytes += part.length;
      if (part.length > 0) chunks.push(part);
    }
    if (isFull) throw fault("service.busy", { public: say("many_large_mails_coming_try_again") });
    return await use({ source: Buffer.concat(chunks), sizeBytes });
  } finally {
    room?.give(keptBytes);
  }
}
