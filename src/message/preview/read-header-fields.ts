import { decodeWords } from "../header/decode-words.ts";

export interface ReadHeaderField {
  readonly name: string;
  /** Unfolded, its encoded words decoded. */
  readonly value: string;
  /** As it stands in the message, its folding included, without the last line break. */
  readonly raw: string;
}

/** The header fields of a message, in order. A line that is no field is kept, with an empty name. */
export function readHeaderFields(source: Buffer): ReadHeaderField[] {
  return headerText(source)
    .split(/\r?\n(?![ \t])/)
    .filter((raw) => raw !== "")
    .map((raw) => {
      const colon = raw.indexOf(":");
      const value = raw.slice(colon + 1).replace(/\r?\n(?=[ \t])/g, "");
      return { name: colon < 0 ? "" : raw.slice(0, colon).trimEnd(), value: decodeWords(value.trim()), raw };
    });
}

/** Everything before the first empty line; UTF-8 (RFC 6532), or where it is none, each byte a character. */
function headerText(source: Buffer): string {
  const ends = ["\r\n\r\n", "\n\n"].map((mark) => source.indexOf(mark)).filter((end) => end >= 0);
  const head = source.subarray(0, ends.length > 0 ? Math.min(...ends) : source.length);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(head);
  } catch {
    return head.toString("latin1");
  }
}
