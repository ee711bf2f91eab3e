/** The message part of a chunk, and the octets after the end of the message; undefined: the end has not come yet. */
export interface MessagePart {
  readonly content: Buffer;
  readonly rest: Buffer | undefined;
}

/**
 * Position of the next octet: within a line, after a CR, at the start of a line, after a dot there, or after such a dot
 * and a CR.
 */
type ReadState = "text" | "cr" | "line_start" | "dot" | "dot_cr";

const CR = 0x0d;
const LF = 0x0a;
const DOT = 0x2e;
const CR_OCTET = Buffer.from([CR]);

/**
 * Finds the end of a message and removes the dots that SMTP added (RFC 5321 section 4.5.2). A line starts only after
 * CRLF. Only a line with a single dot and CRLF is the end. Every other combination of dots and line breaks is content.
 * A leading dot of any other line is removed.
 * @returns a function for the next chunk, of any size
 */
export function createMessageEnd(): (chunk: Buffer) => MessagePart {
  let state: ReadState = "line_start";

  return (chunk) => {
    const parts: Buffer[] = [];
    let from = 0;
    let at = 0;
    while (at < chunk.length) {
      const octet = chunk[at];
      if (state === "dot_cr" && octet === LF)
        return { content: Buffer.concat(parts), rest: chunk.subarray(at + 1) };
      if (state === "dot_cr") {
        // The delayed CR is content after all.
        parts.push(CR_OCTET);
        state = "cr";
      } else if (state === "dot" && octet === CR) {
        from = ++at;
        state = "dot_cr";
      } else if (state === "line_start" && octet === DOT) {
        parts.push(chunk.subarray(from, at));
        from = ++at;
        state = "dot";
      } else {
        const lf = chunk.indexOf(LF, at);
        const last = lf === -1 ? chunk.length : lf;
        const afterCr = last > at ? chunk[last - 1] === CR : state === "cr";
        at = last + 1;
        state = !afterCr ? "text" : lf === -1 ? "cr" : "line_start";
      }
    }
    if (from === 0 && parts.length === 0) return { content: chunk, rest: undefined };
    return { content: Buffer.concat([...parts, chunk.subarray(from)]), rest: undefined };
  };
}
