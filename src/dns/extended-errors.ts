import { readSection, startOfAnswers } from "./read-section.ts";

/** Additional information of a server about a failure (RFC 8914). */
export interface ExtendedError {
  readonly code: number;
  /** Foreign text, shortened to printable ASCII; empty: none. */
  readonly text: string;
}

const OPT_TYPE = 41;
const EDE_OPTION = 15;
/** Servers send one or two. */
const MAX_ERRORS = 8;
const MAX_TEXT_BYTES = 200;

/** Parses the extended errors of a message that `answersQuery`. Unreadable options are ignored, because they only explain. */
export function readExtendedErrors(message: Buffer): readonly ExtendedError[] {
  const errors: ExtendedError[] = [];
  try {
    let offset = startOfAnswers(message);
    for (const counter of [6, 8]) {
      const section = readSection(message, offset, message.readUInt16BE(counter), () => undefined);
      if (!section.complete) return [];
      offset = section.end;
    }
    readSection(message, offset, message.readUInt16BE(10), ({ type, rdata }) => {
      if (type === OPT_TYPE) errors.push(...readOptions(rdata.message.subarray(rdata.offset + 2)));
    });
  } catch {
    // The options before a malformed one are used.
  }
  return errors.slice(0, MAX_ERRORS);
}

/** Each option has its code, its length, and the octets of that length (RFC 6891 section 6.1.2). */
function readOptions(options: Buffer): ExtendedError[] {
  const errors: ExtendedError[] = [];
  let offset = 0;
  while (offset + 4 <= options.length && errors.length < MAX_ERRORS) {
    const start = offset + 4;
    const end = start + options.readUInt16BE(offset + 2);
    if (end > options.length) break;
    if (options.readUInt16BE(offset) === EDE_OPTION && end - start >= 2) {
      errors.push({ code: options.readUInt16BE(start), text: printable(options.subarray(start + 2, end)) });
    }
    offset = end;
  }
  return errors;
}

function printable(text: Buffer): string {
  const ascii = text.toString("latin1", 0, MAX_TEXT_BYTES);
  return ascii.replace(/[^ -~]+/g, " ").trim();
}
