import { isAscii } from "node:buffer";

/** A message as the end of a transaction carries it. */
export interface MessageData {
  /** Header and body, dots doubled where lines begin with one; without the end. */
  readonly octets: Buffer;
  /** The line end, if it is missing, and the final dot. */
  readonly end: Buffer;
  /** As RFC 1870 section 5 counts: with every line end, without the doubled dots and the final one. */
  readonly sizeBytes: number;
  /** Has octets beyond ASCII. */
  readonly eightBit: boolean;
  /** Has them in its header. */
  readonly eightBitHeader: boolean;
  /** Has them in its body, so that only 8BITMIME carries it (RFC 6152). */
  readonly eightBitBody: boolean;
}

const DOT = 0x2e;
const LINE_DOT = Buffer.from("\n.");
const HEADERS_END = Buffer.from("\r\n\r\n");
const CRLF = Buffer.from("\r\n");
const DOT_END = Buffer.from(".\r\n");
const LINE_AND_DOT_END = Buffer.from("\r\n.\r\n");

/** Reads off what the transaction needs to know. Nothing is copied unless a line begins with a dot. */
export function messageData(source: Buffer): MessageData {
  const endsLine = source.length === 0 || source.subarray(-2).equals(CRLF);
  const eightBit = !isAscii(source);
  return {
    octets: doubleDots(source),
    end: endsLine ? DOT_END : LINE_AND_DOT_END,
    sizeBytes: source.length + (endsLine ? 0 : CRLF.length),
    eightBit,
    eightBitHeader: eightBit && !isAscii(source.subarray(0, headerEnd(source))),
    eightBitBody: eightBit && !isAscii(source.subarray(headerEnd(source))),
  };
}

function headerEnd(source: Buffer): number {
  const end = source.indexOf(HEADERS_END);
  return end < 0 ? source.length : end;
}

/**
 * RFC 5321 section 4.5.2. A lone LF counts as the end of a line too: there are servers that take it for one, and a dot
 * after it could otherwise end the message early (SMTP smuggling).
 */
function doubleDots(source: Buffer): Buffer {
  const dots: number[] = source[0] === DOT ? [0] : [];
  for (let at = source.indexOf(LINE_DOT); at >= 0; at = source.indexOf(LINE_DOT, at + 2)) dots.push(at + 1);
  if (dots.length === 0) return source;
  const octets = Buffer.allocUnsafe(source.length + dots.length);
  let from = 0;
  let length = 0;
  for (const dot of dots) {
    // Up to the dot and with it; it comes again as the first octet of what follows.
    length += source.copy(octets, length, from, dot + 1);
    from = dot;
  }
  source.copy(octets, length, from);
  return octets;
}
