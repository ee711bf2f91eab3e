import type { Readable } from "node:stream";

/** The first so many bytes of a stream, which is read to its end. */
export async function readSource(stream: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let kept = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (kept < maxBytes) chunks.push(chunk.subarray(0, maxBytes - kept));
    kept += chunk.length;
  }
  return Buffer.concat(chunks);
}
