import type { Output } from "../environment.ts";

/**
 * Writes parts unchanged as they arrive, as fast as the reader accepts them. If the reader ends early, as `head` does, no more
 * parts are read; that is not an error.
 */
export async function writeParts(
  out: Output,
  parts: AsyncIterable<{ readonly data: Uint8Array }> | Iterable<{ readonly data: Uint8Array }>,
): Promise<undefined> {
  for await (const { data } of parts) {
    if (data.length > 0 && !(await isWritten(out, data))) return undefined;
  }
  return undefined;
}

/** False when the reader is gone. */
function isWritten(out: Output, data: Uint8Array): Promise<boolean> {
  return new Promise((resolve, reject) => {
    out.write(data, (error) => {
      if (!error) resolve(true);
      else if (isReaderGone(error)) resolve(false);
      else reject(error);
    });
  });
}

export function isReaderGone(error: Error): boolean {
  return "code" in error && error.code === "EPIPE";
}
