/** A multipart's body, split at its delimiters (RFC 2046 section 5.1.1). Joined, it equals the original. */
export interface MultipartPieces {
  /** The bodies of the parts, with their headers. */
  readonly parts: readonly Buffer[];
  /** The text around them: the preamble with the first delimiter, the delimiters between, the last with the epilogue. */
  readonly between: readonly Buffer[];
}

const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;
const HYPHEN = 0x2d;

/**
 * Splits the body of a multipart into its parts. A missing end is accepted; undefined: there is no delimiter, or there are more
 * parts than permitted.
 */
export function splitMultipart(
  body: Buffer,
  boundary: string,
  maxParts: number,
): MultipartPieces | undefined {
  const delimiter = Buffer.from(`--${boundary}`, "latin1");
  const parts: Buffer[] = [];
  const between: Buffer[] = [];
  let partAt = -1;
  let restAt = 0;
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + 1)) {
    if (at > 0 && body[at - 1] !== LF) continue;
    const line = readDelimiter(body, at + delimiter.length);
    if (!line) continue;
    if (partAt >= 0) {
      // The line end before a delimiter is part of it.
      const end = Math.max(partAt, at - 2);
      parts.push(body.subarray(partAt, end));
      restAt = end;
      if (parts.length > maxParts) return undefined;
    }
    if (line.isLast) {
      if (partAt < 0) return undefined;
      return { parts, between: [...between, body.subarray(restAt)] };
    }
    between.push(body.subarray(restAt, line.next));
    partAt = line.next;
  }
  if (partAt < 0) return undefined;
  return { parts: [...parts, body.subarray(partAt)], between: [...between, Buffer.alloc(0)] };
}

/** Text after the boundary on its line; undefined: the line is not a delimiter. */
function readDelimiter(body: Buffer, start: number): { next: number; isLast: boolean } | undefined {
  const isLast = body[start] === HYPHEN && body[start + 1] === HYPHEN;
  let at = isLast ? start + 2 : start;
  while (body[at] === SPACE || body[at] === TAB) at++;
  if (at === body.length) return { next: at, isLast };
  return body[at] === CR && body[at + 1] === LF ? { next: at + 2, isLast } : undefined;
}
