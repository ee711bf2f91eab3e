import { field } from "../../message/dsn/fields.ts";
import { octetsOf, type Part, readMimeTree } from "../../message/dsn/mime-tree.ts";
import { type ReportReading, readReports } from "./read-reports.ts";
import { budgetOf, isArchive, MAX_BYTES } from "./unpack.ts";

/** The beginning of XML or JSON after byte order marks and white space, in a part that is not text for people. */
const REPORT_TEXT = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*(?:<\0?(?!\0?(?:html|!doctype\s+html))|\{)/i;
const BEGINNING = 200;
const MAX_ATTACHMENTS = 100;
/** The beginning of an RFC 5322 message, and the line that mailbox files put before it. */
const MAIL = /^(?:From |[!-9;-~]{1,80}:[ \t])/;
/** Single-line JSON has an early colon, like a header field. */
const DOCUMENT = /^(?:\xef\xbb\xbf)?\s*[{[<]/;

/**
 * Reads the reports in a mail: every attachment, regardless of its name and type, also in attached mails. Text for
 * people is skipped. Returns one reading for each document, and at least one.
 */
export function* readMail(source: Buffer): Generator<ReportReading> {
  if (source.length > MAX_BYTES) {
    yield { kind: "unreadable", reason: `the mail has more than ${MAX_BYTES / 1024 / 1024} MB` };
    return;
  }
  const { documents } = budgetOf();
  const left = { documents };
  let attachments = 0;
  for (const part of leavesOf(readMimeTree(source, MAX_BYTES))) {
    const contents = octetsOf(part);
    if (!isArchive(contents) && !isReportText(part, contents) && !isAttached(part)) continue;
    if (attachments++ === MAX_ATTACHMENTS) {
      yield { kind: "unreadable", reason: `the mail has more than ${MAX_ATTACHMENTS} files` };
      return;
    }
    // Unpacking one attachment does not reduce the budget of the others.
    const budget = { ...budgetOf(), ...left };
    yield* readReports(contents, budget);
    left.documents = budget.documents;
  }
  if (attachments === 0) yield { kind: "unreadable", reason: "the mail contains no report" };
}

/** Reads an upload: a report as it was attached, or a saved mail that contains it. */
export function readFile(bytes: Buffer): Generator<ReportReading> {
  const beginning = bytes.toString("latin1", 0, BEGINNING);
  return MAIL.test(beginning) && !DOCUMENT.test(beginning) ? readMail(bytes) : readReports(bytes);
}

function leavesOf(part: Part): Part[] {
  return part.children.length === 0 ? [part] : part.children.flatMap(leavesOf);
}

function isReportText({ type }: Part, contents: Buffer): boolean {
  return type !== "text/html" && REPORT_TEXT.test(contents.toString("latin1", 0, BEGINNING));
}

/** The sender meant the part to be a report. If it is none, the sender or the owner of the domain needs to know. */
function isAttached({ header, type }: Part): boolean {
  if (type.startsWith("multipart/")) return false;
  const disposition = field(header, "content-disposition") ?? "";
  return /^\s*attachment/i.test(disposition) || /^application\/(?!pgp-|pkcs7-)/.test(type);
}
