/** A multipart's body, cut where its delimiters are (RFC 2046 section 5.1.1). Put together it is what it was. */
export interface MultipartPieces {
  /** The bodies of the parts, header and all. */
  readonly parts: readonly Buffer[];
  /** What stands around them: the preamble with the first delimiter, the delimiters between, the last with the epilogue. */
  readonly between: readonly Buffer[];
}

const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;
const HYPHEN = 0x2d;

/**
 * Cuts the body of a multipart into its parts. A missing end is forgiven; undefined: there is no delimiter, or there
 * are more parts than permitted.
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

/** What follows the boundary on its line; undefined: the line is no delimiter. */
function readDelimiter(body: Buffer, start: number): { next: number; isLast: boolean } | undefined {
  const isLast = body[start] === HYPHEN && body[start + 1] === HYPHEN;
  let at = isLast ? start + 2 : start;
  while (body[at] === SPACE || body[at] === TAB) at++;
  if (at === body.length) return { next: at, isLast };
  return body[at] === CR && body[at + 1] === LF ? { next: at + 2, isLast } : undefined;
}
