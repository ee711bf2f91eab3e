const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;
const UPPER_A = 0x41;
const UPPER_Z = 0x5a;
const TO_LOWER = 0x20;
const CRLF = Buffer.from("\r\n");
const SLICE_OCTETS = 65_536;

/**
 * Canonicalizes a header field as "relaxed" (RFC 6376 section 3.4.2): name in lower case, unfolded, each run of white space as
 * one space, none at the ends and around the colon. Input and output have no CRLF at the end.
 */
export function relaxedHeader(field: Buffer): Buffer {
  const out = Buffer.allocUnsafe(field.length);
  let to = 0;
  let valueStart = field.length;
  let isSpacePending = false;
  for (const byte of field) {
    if (byte === CR || byte === LF) continue;
    if (byte === SPACE || byte === TAB) {
      // No name contains a space: one before the value is next to the colon.
      isSpacePending = to > valueStart;
      continue;
    }
    if (isSpacePending) out[to++] = SPACE;
    isSpacePending = false;
    const isName = to < valueStart;
    out[to++] = isName && byte >= UPPER_A && byte <= UPPER_Z ? byte + TO_LOWER : byte;
    if (isName && byte === COLON) valueStart = to;
  }
  return out.subarray(0, to);
}

/**
 * Canonicalizes a body as "relaxed" (RFC 6376 section 3.4.4), in consecutive pieces, so that a large one is never held twice:
 * white space at line ends and empty lines at the end are removed, each other run of white space becomes one space, and a last
 * line without a CRLF gets it. A body of only empty lines has no octets. Throws TypeError at a bare CR or LF.
 */
export function* relaxedBody(body: Buffer): Generator<Buffer, void, undefined> {
  let pendingLineEnds = 0;
  let isSpacePending = false;
  let isEmpty = true;
  for (let start = 0; start < body.length; start += SLICE_OCTETS) {
    const end = Math.min(start + SLICE_OCTETS, body.length);
    // Beyond the slice: octets held from before, and a CR if this slice begins with its LF.
    const out = Buffer.allocUnsafe(end - start + pendingLineEnds * 2 + 2);
    let to = 0;
    for (let i = start; i < end; i++) {
      const byte = body[i] ?? 0;
      if (byte === CR) {
        if (body[i + 1] !== LF) throw bareLineEnd();
      } else if (byte === LF) {
        if (body[i - 1] !== CR) throw bareLineEnd();
        pendingLineEnds++;
        isSpacePending = false;
      } else if (byte === SPACE || byte === TAB) {
        isSpacePending = true;
      } else {
        for (; pendingLineEnds > 0; pendingLineEnds--) {
          out[to++] = CR;
          out[to++] = LF;
        }
        if (isSpacePending) out[to++] = SPACE;
        isSpacePending = false;
        out[to++] = byte;
      }
    }
    if (to === 0) continue;
    isEmpty = false;
    yield out.subarray(0, to);
  }
  if (!isEmpty) yield CRLF;
}

/** Hosts interpret a bare CR or LF differently, so a signature over one would be unreliable. */
export function bareLineEnd(): TypeError {
  return new TypeError("A message with a bare CR or LF cannot be signed.");
}
