import { UnreadableError } from "./unreadable-error.ts";

/** A report of DMARC without its rows, and each of them. */
export interface ReportParts {
  readonly frame: string;
  readonly records: readonly string[];
}

const MAX_ROWS = 200_000;
/** Without its rows, it has some hundred bytes; what a parser makes of much more would need all memory. */
const MAX_FRAME = 1_000_000;

const DOCUMENT_TYPE = /<!(?:DOCTYPE|ENTITY)/i;
const ROOT = /<(?:[\w.-]{1,64}:)?([\w.-]{1,64})/;
/** Declarations, also twice or not at the beginning, and schemas pasted into reports, mostly without an end. */
const NOISE = /<\?[^>]{0,1000}\?>|<\/?xs:schema[^>]{0,1000}>/g;

/**
 * Takes a report apart by its text, so that memory is needed for one row at a time, and a row that is not well-formed breaks no
 * other. Everything before and behind the root goes away, as do comments and common mistakes.
 * @throws UnreadableError when it has a document type, another root, more than 200,000 rows, or too much besides them
 */
export function splitRecords(text: string): ReportParts {
  if (DOCUMENT_TYPE.test(text)) throw new UnreadableError("it has a document type, which may bring entities");
  const xml = text.slice(Math.max(0, text.indexOf("<")), text.lastIndexOf(">") + 1);
  const records: string[] = [];
  let frame = "";
  let at = 0;
  for (const { kind, start, end } of spansOf(xml)) {
    frame = withPiece(frame, xml.slice(at, start));
    at = end;
    if (kind === "record" && records.push(xml.slice(start, end)) > MAX_ROWS)
      throw new UnreadableError(`it has more than ${MAX_ROWS} rows`);
  }
  frame = withPiece(frame, xml.slice(at)).replace(NOISE, "").trim();
  const [, root] = ROOT.exec(frame) ?? [];
  if (root !== "feedback")
    throw new UnreadableError(`it is XML, but no report of DMARC: its root is ${root ?? "missing"}`);
  return { frame, records };
}

function withPiece(frame: string, piece: string): string {
  // Between the rows there is nothing but white space.
  const longer = frame + piece.trim();
  if (longer.length > MAX_FRAME)
    throw new UnreadableError("it is too long for what it says besides its rows");
  return longer;
}

interface Span {
  readonly kind: "record" | "comment";
  readonly start: number;
  readonly end: number;
}

/** What has no end stays in the frame, which is then no XML. */
function* spansOf(xml: string): Generator<Span> {
  const recordOrComment = /<!--|<(?:[\w.-]{1,64}:)?record(?=[\s>])/g;
  const recordEnd = /<\/(?:[\w.-]{1,64}:)?record\s{0,9}>/g;
  let at = 0;
  for (;;) {
    const match = firstAfter(recordOrComment, xml, at);
    if (match === undefined) return;
    const { start } = match;
    const isComment = xml.startsWith("<!--", start);
    const end = isComment ? endOfComment(xml, start) : firstAfter(recordEnd, xml, start)?.end;
    if (end === undefined) return;
    yield { kind: isComment ? "comment" : "record", start, end };
    at = end;
  }
}

function endOfComment(xml: string, start: number): number | undefined {
  const end = xml.indexOf("-->", start + 4);
  return end < 0 ? undefined : end + 3;
}

function firstAfter(pattern: RegExp, text: string, at: number): { start: number; end: number } | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? undefined : { start: match.index, end: pattern.lastIndex };
}
