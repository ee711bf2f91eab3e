/** Content that a message must not have, because servers interpret it differently (RFC 5322 section 2.3). */
export type MessageFault = "bare_line_break" | "nul" | "line_too_long" | "too_large";

export interface MessageCheck {
  /** First fault so far. */
  readonly fault: MessageFault | undefined;
  /** Checks the next octets of the message, in chunks of any size. */
  push(chunk: Buffer): void;
  /** Must be called after the last octet. */
  end(): void;
}

/** Without its CRLF (RFC 5322 section 2.1.1). */
const MAX_LINE_OCTETS = 998;
const NUL = 0x00;
const LF = 0x0a;
const CR = 0x0d;

/** Checks a message while it passes, without storing it. */
export function createMessageCheck(maxBytes: number): MessageCheck {
  let fault: MessageFault | undefined;
  let size = 0;
  let lineOctets = 0;
  let afterCr = false;

  /** Processes octets without an LF. A CR may be last, with its LF in the next chunk. */
  function pushPart(part: Buffer): void {
    if (part.length === 0) return;
    const cr = part.indexOf(CR);
    if (afterCr || (cr !== -1 && cr !== part.length - 1)) fault ??= "bare_line_break";
    afterCr = cr === part.length - 1;
    lineOctets += part.length - (afterCr ? 1 : 0);
    if (lineOctets > MAX_LINE_OCTETS) fault ??= "line_too_long";
  }

  return {
    get fault() {
      return fault;
    },
    push: (chunk) => {
      size += chunk.length;
      if (size > maxBytes) fault ??= "too_large";
      if (fault) return;
      if (chunk.includes(NUL)) fault = "nul";
      for (let at = 0; at < chunk.length && !fault; ) {
        const lf = chunk.indexOf(LF, at);
        pushPart(chunk.subarray(at, lf === -1 ? undefined : lf));
        if (lf === -1) return;
        if (!afterCr) fault ??= "bare_line_break";
        afterCr = false;
        lineOctets = 0;
        at = lf + 1;
      }
    },
    end: () => {
      if (afterCr) fault ??= "bare_line_break";
    },
  };
}
