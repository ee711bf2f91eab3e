import { decodeWords } from "../header/decode-words.ts";
import { MAX_HEADER_FIELDS, MAX_HEADER_OCTETS } from "../header/source-headers.ts";

export interface ReadHeaderField {
  readonly name: string;
  /** Unfolded, with decoded encoded words. */
  readonly value: string;
  /** Unchanged as in the message, with its folding, without the last line break. */
  readonly raw: string;
}

export interface ReadHeader {
  readonly fields: ReadHeaderField[];
  /** False: there are more fields. */
  readonly isWhole: boolean;
}

/**
 * The header fields of a message, in order: up to 1,000, of its first 256 KiB, which is more than an accepted message has. A
 * line that is not a field is kept with an empty name.
 */
export function readHeaderFields(source: Buffer): ReadHeader {
  const { text, isWhole } = headerText(source);
  const lines = text.split(/\r?\n(?![ \t])/).filter((raw) => raw !== "");
  const fields = lines.slice(0, MAX_HEADER_FIELDS).map((raw) => {
    const colon = raw.indexOf(":");
    const value = raw.slice(colon + 1).replace(/\r?\n(?=[ \t])/g, "");
    return { name: colon < 0 ? "" : raw.slice(0, colon).trimEnd(), value: decodeWords(value.trim()), raw };
  });
  return { fields, isWhole: isWhole && lines.length <= MAX_HEADER_FIELDS };
}

/** Everything before the first empty line; UTF-8 (RFC 6532), or if that is invalid, each byte as a character. */
function headerText(source: Buffer): { readonly text: string; readonly isWhole: boolean } {
  const ends = ["\r\n\r\n", "\n\n"].map((mark) => source.indexOf(mark)).filter((end) => end >= 0);
  const end = ends.length > 0 ? Math.min(...ends) : source.length;
  const isWhole = end <= MAX_HEADER_OCTETS;
  const head = source.subarray(0, isWhole ? end : MAX_HEADER_OCTETS);
  try {
    // The cut may be within a character.
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: !isWhole }), isWhole };
  } catch {
    return { text: head.toString("latin1"), isWhole };
  }
}
