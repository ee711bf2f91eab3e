import { isIP } from "node:net";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { type Fields, field, readFieldGroups } from "./fields.ts";
import { type ComplaintReport, type FeedbackType, MAX_REPORTED_RECIPIENTS } from "./report.ts";
import { readMessageId, readReportAddress } from "./report-values.ts";
import { safeText } from "./safe-text.ts";

const FEEDBACK_TYPES: readonly FeedbackType[] = ["abuse", "fraud", "virus", "not-spam", "other"];
/** The only place in which reports of Outlook's Junk Mail Reporting Program name the recipient. */
const OUTLOOK_RECIPIENT = "x-hmxmroriginalrecipient";
const OUTLOOK_SUBJECT = /^complaint about message from (\S+)/i;

/** Parses the body of a `message/feedback-report` part (RFC 5965); `original` is the header of the reported message. */
export function readFeedbackReport(content: string, original: Fields | undefined): ComplaintReport {
  // One group by the RFC; blank lines within it are accepted.
  const groups = readFieldGroups(content);
  const all = (name: string) => groups.flatMap((fields) => fields.get(name) ?? []);
  const first = (...names: string[]) => names.flatMap(all)[0];
  return complaint({
    feedbackType: readFeedbackType(first("feedback-type")),
    userAgent: first("user-agent"),
    recipients: all("original-rcpt-to"),
    mailFrom: first("original-mail-from"),
    sourceIp: first("source-ip"),
    arrivalDate: first("arrival-date", "received-date"),
    original,
  });
}

/** A report in Outlook's own form: the reported message, attached, with one more header field. */
export function readOutlookComplaint(
  header: Fields,
  original: Fields | undefined,
): ComplaintReport | undefined {
  if (![header, original].some((fields) => fields?.has(OUTLOOK_RECIPIENT))) return undefined;
  return complaint({
    feedbackType: "abuse",
    recipients: header.get(OUTLOOK_RECIPIENT) ?? [],
    sourceIp: OUTLOOK_SUBJECT.exec(field(header, "subject") ?? "")?.[1],
    arrivalDate: field(header, "date"),
    original: original ?? header,
  });
}

interface Complaint {
  readonly feedbackType: FeedbackType;
  readonly userAgent?: string | undefined;
  readonly recipients: readonly string[];
  readonly mailFrom?: string | undefined;
  readonly sourceIp?: string | undefined;
  readonly arrivalDate?: string | undefined;
  readonly original: Fields | undefined;
}

function complaint(values: Complaint): ComplaintReport {
  const { original } = values;
  const recipients = values.recipients.length > 0 ? values.recipients : original?.get(OUTLOOK_RECIPIENT);
  const addresses = (recipients ?? []).map(readReportAddress).filter((address) => address !== undefined);
  return withoutUndefined({
    kind: "arf" as const,
    feedbackType: values.feedbackType,
    userAgent: safeText(values.userAgent),
    originalRecipients: [...new Set(addresses)].slice(0, MAX_REPORTED_RECIPIENTS),
    originalMailFrom: readReportAddress(values.mailFrom ?? field(original, "return-path")),
    originalMessageId: readMessageId(field(original, "message-id")),
    sourceIp: readIp(values.sourceIp),
    arrivalDate: readDate(values.arrivalDate),
  });
}

function readFeedbackType(value: string | undefined): FeedbackType {
  const word = /^[a-z-]+/.exec(value?.toLowerCase() ?? "")?.[0];
  return FEEDBACK_TYPES.find((type) => type === word) ?? "other";
}

function readIp(value: string | undefined): string | undefined {
  const address = value?.replace(/^\[?(?:IPv6:)?/i, "").replace(/\].*$/, "");
  return address !== undefined && isIP(address) && !address.includes("%") ? address : undefined;
}

function readDate(value: string | undefined): Date | undefined {
  const date = new Date(safeText(value) ?? "");
  return Number.isNaN(date.getTime()) ? undefined : date;
}
