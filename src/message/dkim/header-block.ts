import { bareLineEnd } from "./canonicalise.ts";

export interface SourceField {
  /** In lower case. */
  readonly name: string;
  /** The whole field unchanged, with its folds, without the CRLF at its end. */
  readonly bytes: Buffer;
}

export interface Source {
  /** From top to bottom. */
  readonly fields: readonly SourceField[];
  readonly body: Buffer;
}

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
/** ftext of RFC 5322 section 3.6.8, and the white space that the obsolete syntax allows before the colon. */
const FIELD_START = /^([!-9;-~]+)[ \t]*:/;

/**
 * Splits a message into header fields and body, as views. The body follows the first empty line and is not checked. Throws
 * TypeError for a bare CR or LF in the header and for a line that is not a field, because readers then disagree on the end of
 * the header.
 */
export function splitSource(source: Buffer): Source {
  const fields: SourceField[] = [];
  let fieldStart = 0;
  let fieldEnd = 0;
  let at = 0;
  const endField = () => {
    if (fieldEnd > fieldStart) fields.push(readField(source.subarray(fieldStart, fieldEnd)));
  };
  while (at < source.length) {
    const { end, next } = readLine(source, at);
    const isFolded = source[at] === SPACE || source[at] === TAB;
    if (end === at) {
      at = next;
      break;
    }
    if (!isFolded) {
      endField();
      fieldStart = at;
    }
    fieldEnd = end;
    at = next;
  }
  endField();
  return { fields, body: source.subarray(at) };
}

function readLine(source: Buffer, start: number): { end: number; next: number } {
  const lf = source.indexOf(LF, start);
  const next = lf === -1 ? source.length : lf + 1;
  const end = lf === -1 ? source.length : lf - 1;
  if (lf !== -1 && (lf === start || source[end] !== CR)) throw bareLineEnd();
  if (source.subarray(start, end).includes(CR)) throw bareLineEnd();
  return { end, next };
}

function readField(bytes: Buffer): SourceField {
  const name = FIELD_START.exec(bytes.toString("latin1"))?.[1];
  if (name === undefined)
    throw new TypeError("A message with a header line that is no field cannot be signed.");
  return { name: name.toLowerCase(), bytes };
}
