export interface EncodedBody {
  readonly transferEncoding: "7bit" | "quoted-printable" | "base64";
  readonly bytes: Buffer;
}

const CR = 0x0d;
const LF = 0x0a;
const TAB = 0x09;
const SPACE = 0x20;
const EQUALS = 0x3d;
const DOT = 0x2e;
const HEX = Buffer.from("0123456789ABCDEF");
/** RFC 5322 section 2.1.1, without the line end. Lines this short survive every gateway unwrapped. */
const MAX_PLAIN_LINE = 78;
/** RFC 2045 sections 6.7 and 6.8. */
const MAX_ENCODED_LINE = 76;
/** Start of every boundary of `composeMime`: "=_" occurs neither in quoted-printable nor in base64. */
export const BOUNDARY_PREFIX = "=_";
const BOUNDARY_LINE = Buffer.from(`--${BOUNDARY_PREFIX}`);
const FROM = Buffer.from("From ");

/**
 * Encodes a text as the body of a part: every line end becomes CRLF; decoded, it otherwise equals the input octet for octet.
 * Unencoded if no server on the way could alter it, otherwise in the shorter of quoted-printable and base64.
 */
export function encodeText(text: string): EncodedBody {
  const bytes = Buffer.from(normaliseLines(text));
  const { isPlain, escapes } = scan(bytes);
  if (isPlain) return { transferEncoding: "7bit", bytes };
  if (isBase64Shorter(bytes.length, escapes)) {
    return { transferEncoding: "base64", bytes: base64Lines(bytes) };
  }
  return { transferEncoding: "quoted-printable", bytes: quotedPrintable(bytes, escapes) };
}

/** Encodes a text in any character set, with CRLF line ends, in quoted-printable, and counts the escaped octets. */
export function toQuotedPrintable(text: Buffer): { readonly bytes: Buffer; readonly escapes: number } {
  const { escapes } = scan(text);
  return { bytes: quotedPrintable(text, escapes), escapes };
}

/** True if base64 is shorter. */
export function isBase64Shorter(octets: number, escapes: number): boolean {
  return escapes * 2 > octets / 3;
}

/** Octets in base64, in lines of 76. */
export function base64Lines(bytes: Uint8Array): Buffer {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const encoded = Buffer.from(view.toString("base64"), "latin1");
  if (encoded.length <= MAX_ENCODED_LINE) return encoded;
  const lines = Math.ceil(encoded.length / MAX_ENCODED_LINE);
  const out = Buffer.allocUnsafe(encoded.length + (lines - 1) * 2);
  let to = 0;
  for (let from = 0; from < encoded.length; from += MAX_ENCODED_LINE) {
    if (from > 0) {
      out[to++] = CR;
      out[to++] = LF;
    }
    to += encoded.copy(out, to, from, from + MAX_ENCODED_LINE);
  }
  return out;
}

/** True if octets can be a part's body unencoded: `message/*` parts must be (RFC 2046 section 5.2.1). */
export function isSevenBit(bytes: Uint8Array): boolean {
  let lineStart = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === 0 || byte > 0x7f) return false;
    if (byte === CR && bytes[i + 1] !== LF) return false;
    if (byte === LF) {
      if (bytes[i - 1] !== CR) return false;
      lineStart = i + 1;
    }
    if (i - lineStart > 997) return false;
    if (i === lineStart && startsWith(bytes, i, BOUNDARY_LINE)) return false;
  }
  return true;
}

interface Scan {
  /** ASCII in short lines that no relay, mailbox file or delimiter search could misinterpret or alter. */
  readonly isPlain: boolean;
  /** Number of octets that quoted-printable must escape. */
  readonly escapes: number;
}

function scan(bytes: Buffer): Scan {
  let isPlain = true;
  let escapes = 0;
  let lineStart = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === LF) {
      lineStart = i + 1;
      continue;
    }
    if (byte === CR) continue;
    if (i - lineStart >= MAX_PLAIN_LINE) isPlain = false;
    if (i === lineStart && (needsGuard(bytes, i) || startsWith(bytes, i, BOUNDARY_LINE))) isPlain = false;
    if (byte === EQUALS) escapes++;
    else if (isUnprintable(byte) || isTrailingSpace(bytes, i)) {
      isPlain = false;
      escapes++;
    }
  }
  return { isPlain, escapes };
}

function quotedPrintable(bytes: Buffer, escapes: number): Buffer {
  // Per line of 73 characters or more: three for the soft break, two for a guarded first character.
  const unwrapped = bytes.length + escapes * 2;
  const out = Buffer.allocUnsafe(unwrapped + Math.ceil(unwrapped / 60) * 5 + countLines(bytes) * 2 + 16);
  let to = 0;
  let column = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === CR || byte === LF) {
      out[to++] = byte;
      column = 0;
      continue;
    }
    const isEscaped = byte === EQUALS || isUnprintable(byte) || isTrailingSpace(bytes, i);
    // A character stays on one line with all its octets: some readers decode line by line.
    const needed = isEscaped ? 3 * characterLength(byte) : 1;
    const isLastOfLine = i + 1 === bytes.length || bytes[i + 1] === CR;
    if (column + needed > (isLastOfLine ? MAX_ENCODED_LINE : MAX_ENCODED_LINE - 1)) {
      out[to++] = EQUALS;
      out[to++] = CR;
      out[to++] = LF;
      column = 0;
    }
    if (isEscaped || (column === 0 && needsGuard(bytes, i))) {
      out[to++] = EQUALS;
      out[to++] = HEX[byte >> 4] ?? 0;
      out[to++] = HEX[byte & 15] ?? 0;
      column += 3;
    } else {
      out[to++] = byte;
      column++;
    }
  }
  return out.subarray(0, to);
}

function isUnprintable(byte: number): boolean {
  return (byte < SPACE && byte !== TAB) || byte > 0x7e;
}

/** Relays may remove white space at the end of a line (RFC 2045 section 6.7, rule 3). */
function isTrailingSpace(bytes: Buffer, i: number): boolean {
  if (bytes[i] !== SPACE && bytes[i] !== TAB) return false;
  return i + 1 === bytes.length || bytes[i + 1] === CR;
}

/** Mailbox files alter "From " at the start of a line, faulty relays a dot. */
function needsGuard(bytes: Buffer, i: number): boolean {
  return bytes[i] === DOT || startsWith(bytes, i, FROM);
}

function startsWith(bytes: Uint8Array, at: number, prefix: Buffer): boolean {
  for (let i = 0; i < prefix.length; i++) if (bytes[at + i] !== prefix[i]) return false;
  return true;
}

/** Octets of the UTF-8 character that starts here; 1 for those within one, which are already placed. */
function characterLength(byte: number): number {
  if (byte >= 0xf0) return 4;
  if (byte >= 0xe0) return 3;
  return byte >= 0xc0 ? 2 : 1;
}

function countLines(bytes: Buffer): number {
  let lines = 1;
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) lines++;
  return lines;
}

// A single CR or LF. RFC 5322 section 2.3 forbids both in a body, and hosts disagree on whether they end a line, which SMTP
// smuggling exploits (CVE-2023-51764). CRLF pairs are matched so that they stay unchanged.
const LINE_END = /\r\n|\r|\n/g;

/** Writes every line end (CRLF, bare CR, bare LF) of a text as CRLF. Linear; returns `text` itself if clean. */
export function normaliseLines(text: string): string {
  return hasBareLineEnd(text) ? text.replace(LINE_END, "\r\n") : text;
}

function hasBareLineEnd(text: string): boolean {
  for (let lf = text.indexOf("\n"); lf !== -1; lf = text.indexOf("\n", lf + 1)) {
    if (text.charCodeAt(lf - 1) !== 0x0d) return true;
  }
  for (let cr = text.indexOf("\r"); cr !== -1; cr = text.indexOf("\r", cr + 1)) {
    if (text.charCodeAt(cr + 1) !== 0x0a) return true;
  }
  return false;
}
