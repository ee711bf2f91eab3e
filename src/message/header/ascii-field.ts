import { isAscii as isAsciiBytes, isUtf8 } from "node:buffer";
import { isAscii } from "../characters.ts";
import type { SourceField } from "../dkim/header-block.ts";
import { encodeParameter, encodePhrase, encodeUnstructured, headerLine } from "./encode-header.ts";
import { fieldValue } from "./source-headers.ts";

/** Reason why a field cannot be written in ASCII, as the text after "the message has", safe to show. */
export class NotAscii extends Error {}

/** Fields of mailboxes (RFC 5322 section 3.6), in which only display names and comments can be encoded. */
const MAILBOXES =
  /^(?:from|sender|reply-to|to|cc|resent-(?:from|sender|to|cc)|disposition-notification-to|return-receipt-to)$/;
/** Fields with a value and its parameters (RFC 2045 section 5.1, RFC 2183). */
const PARAMETERS = /^content-(?:type|disposition)$/;
/** Fields of tokens, which encoded words would break. */
const TOKENS =
  /^(?:(?:resent-)?(?:message-id|date)|references|in-reply-to|received|return-path|mime-version|content-(?:transfer-encoding|id|location|language)|list-.*|dkim-signature|arc-.*|authentication-results)$/;

/**
 * Converts a field of raw UTF-8 (RFC 6532) to ASCII: text and display names to encoded words (RFC 2047), parameters by RFC
 * 2231. A field that is already ASCII stays unchanged, octet for octet.
 * @throws NotAscii
 */
export function asciiField(field: SourceField): SourceField {
  if (isAsciiBytes(field.bytes)) return field;
  const { name } = field;
  if (!isUtf8(field.bytes)) throw new NotAscii(`a ${name} field that is neither ASCII nor UTF-8`);
  const value = fieldValue(field);
  const written = writeValue(name, value);
  if (!isAscii(written)) throw new NotAscii(`a ${name} field that only SMTPUTF8 carries`);
  const shown = field.bytes.toString("latin1", 0, name.length);
  const line = written.includes("\r\n") ? `${shown}: ${written}\r\n` : headerLine(shown, written);
  return { name, bytes: Buffer.from(line.slice(0, -2)) };
}

function writeValue(name: string, value: string): string {
  if (MAILBOXES.test(name)) return writeMailboxes(value);
  if (PARAMETERS.test(name)) return writeParameters(value);
  return TOKENS.test(name) ? value : encodeUnstructured(value);
}

/** A quoted string, a comment without nested ones, an address in brackets, white space, a special, or an atom. */
const PIECE = /"(?:[^"\\]|\\.)*"|\((?:[^()\\]|\\.)*\)|<[^<>]*>|[ \t]+|[,;:]|[^"()<>, \t;:]+/uy;

/**
 * The tokens of a list of mailboxes; undefined: it contains something else. It ends at the first fault, so that the cost stays
 * linear.
 */
function piecesOf(value: string): string[] | undefined {
  const pieces: string[] = [];
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < value.length) {
    const [piece] = PIECE.exec(value) ?? [];
    if (piece === undefined) return undefined;
    pieces.push(piece);
  }
  return pieces;
}

/** Each run of words before an address or a separator is one phrase: encoded as a whole, it keeps its spaces. */
function writeMailboxes(value: string): string {
  const pieces = piecesOf(value);
  if (!pieces) return value;
  const written: string[] = [];
  let phrase: string[] = [];
  const endPhrase = () => {
    const text = phrase.join("");
    const words = text.trimEnd();
    const trailing = text.slice(words.length);
    const leading = words.slice(0, words.length - words.trimStart().length);
    // A bare address cannot be encoded.
    const isPhrase = !isAscii(words) && !words.replace(/"(?:[^"\\]|\\.)*"/gu, "").includes("@");
    written.push(
      isPhrase ? `${leading}${encodePhrase(unquoted(words.slice(leading.length)))}${trailing}` : text,
    );
    phrase = [];
  };
  for (const piece of pieces) {
    if (/^[<,;:(]/.test(piece)) {
      endPhrase();
      written.push(piece.startsWith("(") ? writeComment(piece) : piece);
    } else phrase.push(piece);
  }
  endPhrase();
  return written.join("");
}

function unquoted(words: string): string {
  return words.replace(/"((?:[^"\\]|\\.)*)"/gu, (_, inner: string) => unescaped(inner));
}

/** RFC 2047 section 5 (2): an encoded word may stand in a comment. */
function writeComment(comment: string): string {
  if (isAscii(comment)) return comment;
  return `(${encodePhrase(unescaped(comment.slice(1, -1)))})`;
}

const PARAMETER =
  /;[ \t]*([A-Za-z0-9!#$&+\-^_`{}~.]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))[ \t]*/gu;

function writeParameters(value: string): string {
  return value.replace(
    PARAMETER,
    (whole, name: string, quoted: string | undefined, token: string | undefined) => {
      if (isAscii(whole)) return whole;
      return encodeParameter(name, quoted === undefined ? (token ?? "") : unescaped(quoted));
    },
  );
}

/** Resolves quoted pairs (RFC 5322 section 3.2.1). */
function unescaped(text: string): string {
  return text.replace(/\\(.)/gu, "$1");
}
