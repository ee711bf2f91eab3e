import { isAscii } from "node:buffer";

/** A message in the form of the DATA phase. */
export interface MessageData {
  /** Header and body, with leading dots doubled, without the end. */
  readonly octets: Buffer;
  /** The line end, if it is missing, and the final dot. */
  readonly end: Buffer;
  /** Size as in RFC 1870 section 5: with every line end, without the doubled dots and the final dot. */
  readonly sizeBytes: number;
  /** Whether it has octets outside ASCII. */
  readonly eightBit: boolean;
  /** Whether its header has them. */
  readonly eightBitHeader: boolean;
  /** Whether its body has them, so that only 8BITMIME carries it (RFC 6152). */
  readonly eightBitBody: boolean;
}

const DOT = 0x2e;
const LINE_DOT = Buffer.from("\n.");
const HEADERS_END = Buffer.from("\r\n\r\n");
const CRLF = Buffer.from("\r\n");
const DOT_END = Buffer.from(".\r\n");
const LINE_AND_DOT_END = Buffer.from("\r\n.\r\n");

/** Determines the data that the transaction needs. It copies nothing unless a line begins with a dot. */
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
 * RFC 5321 section 4.5.2. A lone LF also counts as a line end: some servers accept it as one, and a dot after it could
 * otherwise end the message early (SMTP smuggling).
 */
function doubleDots(source: Buffer): Buffer {
  const dots: number[] = source[0] === DOT ? [0] : [];
  for (let at = source.indexOf(LINE_DOT); at >= 0; at = source.indexOf(LINE_DOT, at + 2)) dots.push(at + 1);
  if (dots.length === 0) return source;
  const octets = Buffer.allocUnsafe(source.length + dots.length);
  let from = 0;
  let length = 0;
  for (const dot of dots) {
    // Up to and including the dot, which is copied again as the first octet of the rest.
    length += source.copy(octets, length, from, dot + 1);
    from = dot;
  }
  source.copy(octets, length, from);
  return octets;
}
