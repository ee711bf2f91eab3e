import { buildHeaderParam, encodeWord } from "nodemailer/lib/mime-funcs";
import { hasLoneSurrogate, isAscii, withoutControls } from "../characters.ts";
import type { Mailbox } from "../content.ts";

/** RFC 5322 section 2.1.1: lines should not be longer, line end aside. */
const MAX_LINE = 78;
/** RFC 5322 section 2.1.1: lines must not reach 998; a field's name may precede the word. */
const MAX_WORD = 900;
/** Leaves space for the names of most fields in the 76 characters that RFC 2047 section 2 allows such a line. */
const MAX_ENCODED_WORD = 60;

/** Length of the pieces of a parameter. Their names take up to 14 more. */
const MAX_PARAMETER = 60;

const ATOMS = /^[\w!#$%&'*+\-/=?^`{|}~]+(?: [\w!#$%&'*+\-/=?^`{|}~]+)*$/;
/** White space that folding or a lenient reader could change: runs and edges of spaces, tabs. */
const FRAGILE_SPACE = /^ | {2}| $|\t/;

/** One header field with its CRLF, folded at 78 if there is a space to fold at. `value` must be ASCII or EAI. */
export function headerLine(name: string, value: string): string {
  const line = `${name}: ${value}`;
  return `${line.length <= MAX_LINE ? line : fold(line, name.length + 2)}\r\n`;
}

/** Free text (RFC 5322 section 3.2.5) for a header: unchanged if it is read back the same, otherwise as encoded words. */
export function encodeUnstructured(text: string): string {
  const clean = cleanText(text);
  const isPlain =
    isAscii(clean) && !clean.includes("=?") && !FRAGILE_SPACE.test(clean) && !hasLongWord(clean);
  return isPlain ? clean : encodedWords(clean);
}

/** Value of a field of tokens, which encoded words would break: changed only if it could not be sent. */
export function encodeStructured(value: string): string {
  const clean = cleanText(value).trim();
  return isAscii(clean) && !hasLongWord(clean) ? clean : encodedWords(clean);
}

export function encodeMailboxes(mailboxes: readonly Mailbox[]): string {
  return mailboxes.map(encodeMailbox).join(", ");
}

function encodeMailbox({ address, displayName = "" }: Mailbox): string {
  return displayName === "" ? address : `${encodePhrase(displayName)} <${address}>`;
}

/**
 * One parameter of a field, to be appended to its value: a quoted string, or RFC 2231 pieces. Each has its own line and is
 * never folded within, because some readers lose spaces there.
 */
export function encodeParameter(name: string, value: string): string {
  return buildHeaderParam(name, cleanText(value), MAX_PARAMETER)
    .map((piece) => `;\r\n ${piece.key}=${piece.key.endsWith("*") ? piece.value : quote(piece.value)}`)
    .join("");
}

/** A display name (RFC 5322 section 3.2.5): atoms, a quoted string or encoded words. */
export function encodePhrase(name: string): string {
  const clean = cleanText(name);
  if (!isAscii(clean) || clean.includes("=?") || FRAGILE_SPACE.test(clean) || clean.length > MAX_LINE - 10) {
    return encodedWords(clean);
  }
  return ATOMS.test(clean) ? clean : quote(clean);
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

function encodedWords(text: string): string {
  const bytes = Buffer.byteLength(text);
  let literal = 0;
  for (const char of text) if (/[A-Za-z0-9 ]/.test(char)) literal++;
  // Q takes three characters for each escaped one, B four for every three octets.
  const encoding = literal + (bytes - literal) * 3 <= (bytes * 4) / 3 ? "Q" : "B";
  return encodeWord(text, encoding, MAX_ENCODED_WORD);
}

function cleanText(text: string): string {
  const clean = withoutControls(text);
  return hasLoneSurrogate(clean) ? Buffer.from(clean).toString() : clean;
}

function hasLongWord(text: string): boolean {
  return text.length > MAX_WORD && text.split(" ").some((word) => word.length > MAX_WORD);
}

/** Breaks the line before spaces, never leaving a line of only white space (RFC 5322 section 3.2.2). */
function fold(line: string, valueStart: number): string {
  const lines: string[] = [];
  const lastWordEnd = line.trimEnd().length;
  let start = 0;
  let breakAt = 0;
  for (let i = valueStart + 1; i <= line.length; i++) {
    const isBreak = i === line.length || (i < lastWordEnd && isBlank(line, i) && !isBlank(line, i - 1));
    if (!isBreak) continue;
    if (i - start > MAX_LINE && breakAt > start) {
      lines.push(line.slice(start, breakAt));
      start = breakAt;
    }
    breakAt = i;
  }
  lines.push(line.slice(start));
  return lines.join("\r\n");
}

function isBlank(line: string, i: number): boolean {
  return line[i] === " " || line[i] === "\t";
}
