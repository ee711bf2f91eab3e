import { isAscii, isUtf8 } from "node:buffer";
import { headerLine } from "../header/encode-header.ts";
import { base64Lines, encodeText } from "../mime/encode-text.ts";
import type { DsnStyle } from "./dsn.ts";

/** A part of a report: its header lines, and its content. */
export interface ReportPart {
  readonly header: string;
  readonly body: Buffer;
}

/** Larger messages are returned as their header: megabytes do not help the reader. */
export const MAX_RETURNED_BYTES = 512 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;
/** RFC 5322 section 2.1.1. */
const MAX_LINE_OCTETS = 998;
const HEADER_END = Buffer.from("\r\n\r\n");
const CR = 0x0d;
const LF = 0x0a;

/** The third part of a report (RFC 6522 section 3): the message, or its header. */
export function returnedPart(source: Buffer, content: "full" | "headers", style: DsnStyle): ReportPart {
  const end = source.indexOf(HEADER_END);
  const header = end === -1 ? source : source.subarray(0, end + 2);
  const isGlobal = style.isGlobal || !isAscii(header);
  const isWhole = content === "full" && source.length <= MAX_RETURNED_BYTES && hasSafeLines(source);
  if (!isWhole) return headerPart(header, isGlobal);
  if (isGlobal) return encodedMessage(source);
  // Nested encodings are not allowed (RFC 2046 section 5.2.1).
  const encoding = isAscii(source) ? "7bit" : "8bit";
  return reportPart("message/rfc822", encoding, source);
}

/** Where RFC 6532 section 3.7 allows an encoding, one without demands on the servers on the way. */
function encodedMessage(source: Buffer): ReportPart {
  if (!isUtf8(source)) return reportPart("message/global", "base64", base64Lines(source));
  const { transferEncoding, bytes } = encodeText(source.toString("utf8"));
  return reportPart("message/global", transferEncoding, bytes);
}

function headerPart(header: Buffer, isGlobal: boolean): ReportPart {
  const { transferEncoding, bytes } = encodeText(cut(header).toString("utf8"));
  const type = isGlobal ? "message/global-headers" : "text/rfc822-headers";
  return reportPart(type, transferEncoding, bytes);
}

export function reportPart(type: string, encoding: string, body: Buffer): ReportPart {
  const header = headerLine("Content-Type", type) + headerLine("Content-Transfer-Encoding", encoding);
  return { header, body };
}

/** At the end of a line. */
function cut(header: Buffer): Buffer {
  if (header.length <= MAX_HEADER_BYTES) return header;
  const end = header.lastIndexOf("\r\n", MAX_HEADER_BYTES);
  return header.subarray(0, end === -1 ? MAX_HEADER_BYTES : end + 2);
}

/** True if another message can contain the message unchanged: no NUL, no bare line end, no line that is too long. */
function hasSafeLines(source: Buffer): boolean {
  let lineStart = 0;
  for (let i = 0; i < source.length; i++) {
    const octet = source[i];
    if (octet === 0 || (octet === CR && source[i + 1] !== LF)) return false;
    if (octet === LF && source[i - 1] !== CR) return false;
    if (octet === LF) lineStart = i + 1;
    else if (i - lineStart > MAX_LINE_OCTETS) return false;
  }
  return true;
}
