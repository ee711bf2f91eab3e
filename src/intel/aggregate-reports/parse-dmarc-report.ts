import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { DmarcPolicyPublished, DmarcReport, DmarcRow } from "./dmarc-report.ts";
import { countLeftOut } from "./left-out.ts";
import { readDmarcRow, textIn } from "./read-dmarc-row.ts";
import { splitRecords } from "./split-records.ts";
import { reasonOf, UnreadableError } from "./unreadable-error.ts";
import { elementOf, parseXml, textOf, textsOf, type XmlElement } from "./xml-element.ts";

/** Maximum length of one row, enough for 100 signatures. */
const MAX_ROW_LENGTH = 250_000;
const MAX_ERRORS = 100;
/** A larger value is in milliseconds. In seconds it would be the year 5138. */
const MAX_SECONDS = 100_000_000_000;

const NAMESPACE = "urn:ietf:params:xml:ns:dmarc-2.0";
const NEW_FIELDS = ["np", "testing", "discovery_method"];

/**
 * Reads a DMARC aggregate report (RFC 9990 appendix A, RFC 7489 appendix C). An unreadable row is left out and
 * counted with its reason. It does not affect other rows.
 * @throws UnreadableError if the text is no such report, is cut off, has a document type (and with it entities), has
 * more than 200,000 rows, or does not contain its policy domain or its period
 */
export function parseDmarcReport(text: string): DmarcReport {
  const { frame, records } = splitRecords(text);
  const feedback = elementOf(parseXml(frame), "feedback");
  const metadata = elementOf(feedback, "report_metadata");
  const published = elementOf(feedback, "policy_published");
  const policy = readPolicy(published);
  const email = textOf(metadata, "email") ?? "";

  return withoutUndefined({
    schema: isNew(frame, metadata, published) ? ("rfc9990" as const) : ("rfc7489" as const),
    orgName: textOf(metadata, "org_name") || email.split("@").at(-1) || "",
    email,
    extraContact: textOf(metadata, "extra_contact_info") || undefined,
    generator: textOf(metadata, "generator") || undefined,
    errors: textsOf(metadata, "error")
      .filter((error) => error !== "")
      .slice(0, MAX_ERRORS),
    reportId: textOf(metadata, "report_id") ?? "",
    ...readRange(elementOf(metadata, "date_range")),
    policy,
    ...readRows(records),
  });
}

function readRows(records: readonly string[]): Pick<DmarcReport, "rows" | "leftOut"> {
  const rows: DmarcRow[] = [];
  const leftOut = countLeftOut();
  for (const [index, record] of records.entries()) {
    try {
      if (record.length > MAX_ROW_LENGTH) throw new UnreadableError("the row is too long");
      rows.push(readDmarcRow(elementOf(parseXml(record), "record") ?? {}));
    } catch (error) {
      leftOut.add(index + 1, reasonOf(error));
    }
  }
  return { rows, leftOut: leftOut.total() };
}

function readPolicy(published: XmlElement | undefined): DmarcPolicyPublished {
  const domain = textIn(published, "domain")?.replace(/\.$/, "");
  if (!domain) throw new UnreadableError("the report does not name the domain of the policy");
  const word = (name: string) => textIn(published, name) || undefined;
  const pct = word("pct");
  return withoutUndefined({
    domain,
    adkim: word("adkim") ?? "r",
    aspf: word("aspf") ?? "r",
    p: word("p"),
    sp: word("sp"),
    np: word("np"),
    pct: pct !== undefined && /^\d{1,3}$/.test(pct) ? Number(pct) : undefined,
    fo: word("fo"),
    testing: word("testing"),
    discoveryMethod: word("discovery_method"),
  });
}

/** If begin and end are swapped, the earlier one is the beginning. */
function readRange(range: XmlElement | undefined): Pick<DmarcReport, "begin" | "end"> {
  const [begin, end] = ["begin", "end"].map((name) => readTime(textOf(range, name)));
  if (begin === undefined || end === undefined)
    throw new UnreadableError("the report does not contain its period");
  return begin <= end ? { begin, end } : { begin: end, end: begin };
}

/** UNIX time in seconds. Some reporters write a fraction, and some write milliseconds. */
function readTime(text = ""): Date | undefined {
  if (!/^\d{1,15}(?:\.\d{0,20})?$/.test(text)) return undefined;
  const seconds = Math.floor(Number(text));
  const time = new Date(seconds < MAX_SECONDS ? seconds * 1_000 : seconds);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

function isNew(frame: string, metadata: XmlElement | undefined, published: XmlElement | undefined): boolean {
  const isThere = (name: string) => textOf(published, name) !== undefined;
  return frame.includes(NAMESPACE) || NEW_FIELDS.some(isThere) || textOf(metadata, "generator") !== undefined;
}
