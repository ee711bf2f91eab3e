import { say } from "../../shared/fault-text.ts";
import { type SourceField, splitSource } from "../dkim/header-block.ts";
import { checkLines, type SourceFault, sourceFault } from "./source-lines.ts";

export const MAX_HEADER_OCTETS = 256 * 1024;
export const MAX_HEADER_FIELDS = 1_000;

const CRLF = Buffer.from("\r\n");
const CRLF_CRLF = Buffer.from("\r\n\r\n");

export type SourceHeaders = { readonly ok: true; readonly fields: readonly SourceField[] } | SourceFault;

/**
 * Position of the body of a message, after the empty line; -1: the header has not ended yet.
 * @param from start of the search, for a message that arrives in pieces
 */
export function findBody(source: Buffer, from = 0): number {
  if (source.subarray(0, CRLF.length).equals(CRLF)) return CRLF.length;
  // The mark may have begun in the previous piece.
  const mark = source.indexOf(CRLF_CRLF, Math.max(0, from - CRLF_CRLF.length));
  return mark === -1 ? -1 : mark + CRLF_CRLF.length;
}

/**
 * Fields of a header, as views of it.
 * @param header with or without the empty line at its end
 */
export function readSourceHeaders(header: Buffer): SourceHeaders {
  if (header.length > MAX_HEADER_OCTETS) return headerTooLarge();
  const fault = checkLines(header);
  if (fault) return fault;
  try {
    const { fields } = splitSource(header);
    if (fields.length <= MAX_HEADER_FIELDS) return { ok: true, fields };
    return sourceFault(say("message_more_than_header_fields", { max: MAX_HEADER_FIELDS }));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return sourceFault(say("line_header_no_field_no_name"));
  }
}

export function headerTooLarge(): SourceFault {
  return sourceFault(say("header_more_than_octets", { max: MAX_HEADER_OCTETS }));
}

/** Value after the colon, unfolded (RFC 5322 section 2.2.3); invalid UTF-8 as U+FFFD. */
export function fieldValue(field: SourceField): string {
  return withoutOuterSpace(foldedValue(field).replaceAll("\r\n", ""));
}

/** Not every Unicode space: those are part of the value, and readers treat them differently. Linear, unlike a pattern. */
function withoutOuterSpace(text: string): string {
  const isSpace = (at: number) => text[at] === " " || text[at] === "\t";
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(start)) start++;
  while (end > start && isSpace(end - 1)) end--;
  return text.slice(start, end);
}

/** Value after the colon, with its folds. */
export function foldedValue({ bytes }: SourceField): string {
  return bytes.subarray(bytes.indexOf(":") + 1).toString("utf8");
}

/** A header of these unchanged fields, with the empty line after it. */
export function writeSourceHeaders(fields: readonly SourceField[]): Buffer {
  return Buffer.concat([...fields.flatMap(({ bytes }) => [bytes, CRLF]), CRLF]);
}
