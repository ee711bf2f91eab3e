import { Readable } from "node:stream";

/**
 * The answer with a file that the core sends in parts, as it comes.
 * @throws Fault of the core, which whoever may not have the file is told, instead of being sent the beginning of nothing
 */
export async function csvDownload(
  reply: { header(name: string, value: string): unknown },
  filename: string,
  parts: AsyncIterable<{ readonly data: Uint8Array }>,
) {
  const answers = parts[Symbol.asyncIterator]();
  const first = await answers.next();
  reply.header("content-disposition", `attachment; filename="${filename}"`);
  return { status: 200, body: Readable.from(bytesOf(first, answers), { objectMode: false }) } as const;
}

async function* bytesOf(
  first: IteratorResult<{ readonly data: Uint8Array }>,
  rest: AsyncIterator<{ readonly data: Uint8Array }>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value.data;
  } finally {
    await rest.return?.();
  }
}
