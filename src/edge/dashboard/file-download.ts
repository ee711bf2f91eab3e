import { Readable } from "node:stream";
import { fault } from "../../shared/fault.ts";

export const CSV = "text/csv; charset=utf-8";
export const NDJSON = "application/x-ndjson; charset=utf-8";

/** A reader that accepts no data for this long counts as disconnected. */
const STALL_MS = 120_000;

type Parts = AsyncIterator<{ readonly data: Uint8Array }>;

interface DownloadOptions {
  /** The file's name for its reader. */
  readonly name: string;
  readonly mediaType: string;
  /** Shorter, for tests. */
  readonly stallMs?: number;
}

/**
 * Response with a file that the core sends in parts, at the pace of its reader. A later error breaks the response off
 * without a proper HTTP end.
 * @throws Fault of the core, which a caller without access gets instead of an empty file
 */
export async function fileDownload(
  reply: { header(name: string, value: string): unknown },
  { name, mediaType, stallMs = STALL_MS }: DownloadOptions,
  parts: AsyncIterable<{ readonly data: Uint8Array }>,
) {
  const answers = parts[Symbol.asyncIterator]();
  const first = await answers.next();
  reply.header("content-disposition", `attachment; filename="${name}"`);
  return { status: 200, body: new FileBody(mediaType, stallMs, first, answers) } as const;
}

/** Body of an answer with one file, which the core has sent as a whole. */
export function fileOf(mediaType: string, data: Uint8Array): FileBody {
  const nothingElse = [][Symbol.iterator]();
  const rest = { next: async () => nothingElse.next() };
  return new FileBody(mediaType, STALL_MS, { done: false, value: { data } }, rest);
}

/** The body of an answer that knows its media type: one route may have files of several. */
export class FileBody extends Readable {
  readonly mediaType: string;
  readonly #stallMs: number;
  readonly #parts: Parts;
  #first: IteratorResult<{ readonly data: Uint8Array }> | undefined;
  #stalled: NodeJS.Timeout | undefined;

  constructor(
    mediaType: string,
    stallMs: number,
    first: IteratorResult<{ readonly data: Uint8Array }>,
    parts: Parts,
  ) {
    super();
    this.mediaType = mediaType;
    this.#stallMs = stallMs;
    this.#first = first;
    this.#parts = parts;
  }

  override _read(): void {
    clearTimeout(this.#stalled);
    this.#next().catch((error: Error) => this.destroy(error));
  }

  async #next(): Promise<void> {
    for (;;) {
      const next = this.#first ?? (await this.#parts.next());
      this.#first = undefined;
      if (this.destroyed) return;
      if (next.done) {
        this.push(null);
        return;
      }
      // A part without octets only shows progress.
      if (next.value.data.length === 0) continue;
      // Before the push, which may ask for the next part at once.
      this.#stalled = setTimeout(() => this.destroy(fault("core.timeout")), this.#stallMs);
      this.push(next.value.data);
      return;
    }
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#stalled);
    // Its result is not needed.
    Promise.resolve(this.#parts.return?.()).then(
      () => done(error),
      () => done(error),
    );
  }
}
