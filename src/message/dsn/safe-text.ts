import { isUtf8 } from "node:buffer";
import { isAscii } from "../characters.ts";

const MAX_TEXT_LENGTH = 1_000;
/** Longer input is cut first, so that the work below is bounded. */
const MAX_INPUT_LENGTH = 8_000;

/** Controls, spaces, line ends, bidi controls and other format characters, lone surrogates. */
const UNSAFE_RUN = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/** Converts text with one octet per character to UTF-8, or leaves it as ISO 8859-1 if it is invalid UTF-8. */
export function decodeOctets(octets: string): string {
  if (isAscii(octets)) return octets;
  const bytes = Buffer.from(octets, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : octets;
}

/** One line of at most 1000 characters, without control characters; undefined if it is empty. */
export function safeText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const clean = text.slice(0, MAX_INPUT_LENGTH).replace(UNSAFE_RUN, " ").trim();
  // Half of a character above U+FFFF may remain at the cut.
  const cut =
    clean.length > MAX_TEXT_LENGTH ? clean.slice(0, MAX_TEXT_LENGTH).replace(/[\ud800-\udbff]$/, "") : clean;
  return cut.trim() || undefined;
}
