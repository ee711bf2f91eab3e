import type { Output } from "../surroundings.ts";

/**
 * Writes what comes as it comes, octet for octet, as fast as it is taken. A reader that goes away before the end, as `head` does, has what it wanted:
 * nothing more is asked for, and nothing has gone wrong.
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

/** False: its reader is gone. */
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
