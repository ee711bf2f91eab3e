/** What a chunk holds of the message, and what follows its end; undefined: the end is still to come. */
export interface MessagePart {
  readonly content: Buffer;
  readonly rest: Buffer | undefined;
}

/**
 * Where the next octet stands: in a line; after a CR; at the start of a line; after a dot there; after such a dot and
 * a CR.
 */
type Place = "text" | "cr" | "line_start" | "dot" | "dot_cr";

const CR = 0x0d;
const LF = 0x0a;
const DOT = 0x2e;
const CR_OCTET = Buffer.from([CR]);

/**
 * Finds the end of a message and takes the dots away that SMTP added (RFC 5321 section 4.5.2). A line starts after
 * CRLF and after nothing else, and only a line of one dot, ended by CRLF, is the end: every other mix of dots and line
 * breaks is content. A first dot before anything else in a line is taken away, whatever follows it.
 * @returns takes the next chunk, however the message was cut
 */
export function createMessageEnd(): (chunk: Buffer) => MessagePart {
  let place: Place = "line_start";

  return (chunk) => {
    const parts: Buffer[] = [];
    let from = 0;
    let at = 0;
    while (at < chunk.length) {
      const octet = chunk[at];
      if (place === "dot_cr" && octet === LF)
        return { content: Buffer.concat(parts), rest: chunk.subarray(at + 1) };
      if (place === "dot_cr") {
        // The CR was held back: it is content after all.
        parts.push(CR_OCTET);
        place = "cr";
      } else if (place === "dot" && octet === CR) {
        from = ++at;
        place = "dot_cr";
      } else if (place === "line_start" && octet === DOT) {
        parts.push(chunk.subarray(from, at));
        from = ++at;
        place = "dot";
      } else {
        const lf = chunk.indexOf(LF, at);
        const last = lf === -1 ? chunk.length : lf;
        const afterCr = last > at ? chunk[last - 1] === CR : place === "cr";
        at = last + 1;
        place = !afterCr ? "text" : lf === -1 ? "cr" : "line_start";
      }
    }
    if (from === 0 && parts.length === 0) return { content: chunk, rest: undefined };
    return { content: Buffer.concat([...parts, chunk.subarray(from)]), rest: undefined };
  };
}
