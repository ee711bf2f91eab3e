import { UnreadableError } from "./unreadable-error.ts";

/** A DMARC report without its rows, and the rows. */
export interface ReportParts {
  readonly frame: string;
  readonly records: readonly string[];
}

const MAX_ROWS = 200_000;
/** Without its rows a report has some hundred bytes. A parser would need all memory for much more. */
const MAX_FRAME = 1_000_000;

const DOCUMENT_TYPE = /<!(?:DOCTYPE|ENTITY)/i;
const ROOT = /<(?:[\w.-]{1,64}:)?([\w.-]{1,64})/;
/** Declarations, also repeated or not at the beginning, and schemas pasted into reports, often without an end. */
const NOISE = /<\?[^>]{0,1000}\?>|<\/?xs:schema[^>]{0,1000}>/g;

/**
 * Splits a report as text, so that only one row at a time needs memory and a malformed row does not affect the
 * others. Removes everything before and after the root, comments and common mistakes.
 * @throws UnreadableError if the text has a document type, another root, more than 200,000 rows, or too much outside
 * of them
 */
export function splitRecords(text: string): ReportParts {
  if (DOCUMENT_TYPE.test(text))
    throw new UnreadableError("the XML has a document type, which may define entities");
  const xml = text.slice(Math.max(0, text.indexOf("<")), text.lastIndexOf(">") + 1);
  const records: string[] = [];
  let frame = "";
  let at = 0;
  for (const { kind, start, end } of spansOf(xml)) {
    frame = withPiece(frame, xml.slice(at, start));
    at = end;
    if (kind === "record" && records.push(xml.slice(start, end)) > MAX_ROWS)
      throw new UnreadableError(`the report has more than ${MAX_ROWS} rows`);
  }
  frame = withPiece(frame, xml.slice(at)).replace(NOISE, "").trim();
  const [, root] = ROOT.exec(frame) ?? [];
  if (root !== "feedback")
    throw new UnreadableError(`the XML is not a DMARC report: its root is ${root ?? "missing"}`);
  return { frame, records };
}

function withPiece(frame: string, piece: string): string {
  // Between rows there is only white space.
  const longer = frame + piece.trim();
  if (longer.length > MAX_FRAME) throw new UnreadableError("the report is too long outside of its rows");
  return longer;
}

interface Span {
  readonly kind: "record" | "comment";
  readonly start: number;
  readonly end: number;
}

/** A span without an end stays in the frame, which is then invalid XML. */
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
