import { readDeliveryStatus } from "./delivery-status.ts";
import { readFeedbackReport, readOutlookComplaint } from "./feedback-report.ts";
import { type Fields, field, readHeader } from "./fields.ts";
import { contentOf, type Part, partsOf, readMimeTree } from "./mime-tree.ts";
import type { DeliveryReport, OtherReport, Report } from "./report.ts";
import { answeredMessageId, readMessageId } from "./report-values.ts";
import { readTextBounce } from "./text-bounce.ts";

const DELIVERY_STATUS = /^message\/(?:global-)?delivery-status$/;
const RETURNED_MESSAGE = /^message\/(?:rfc822|global)$/;
const RETURNED_HEADER = /^(?:text|message)\/(?:rfc822-headers|global-headers)$/;

const OTHER: OtherReport = { kind: "other" };

/**
 * Parses mail that came back to a return path or to the address of a feedback loop: delivery status notifications (RFC 3464,
 * RFC 6533), complaints (RFC 5965 and Outlook's own form), and bounces that Exim, Exchange, Gmail, Postfix, qmail and Sendmail
 * write for people; also forwarded as an attachment. All content is a claim of a foreign host: only the signed return path
 * identifies the message. Never throws; reads the first 2 MB, in linear time.
 */
export function parseReport(source: Buffer): Report {
  return reportOf(readMimeTree(source));
}

function reportOf(message: Part): Report {
  const parts = partsOf(message);
  const original = returnedHeader(parts);
  for (const part of parts) {
    if (part.type === "message/feedback-report") return readFeedbackReport(contentOf(part), original);
    const dsn = DELIVERY_STATUS.test(part.type) ? readDeliveryStatus(contentOf(part)) : undefined;
    if (dsn) return withMessageId(dsn, message, original);
  }
  const complaint = readOutlookComplaint(message.header, original);
  if (complaint) return complaint;
  const bounce = readMislabelled(message, parts) ?? readTextBounce(message.header, textOf(parts));
  if (bounce) return withMessageId(bounce, message, original);
  return isWrapper(message) ? reportWithin(parts) : OTHER;
}

/** A person or a program forwards a report as an attachment. */
function reportWithin(parts: readonly Part[]): Report {
  for (const part of parts) {
    const [inner] = RETURNED_MESSAGE.test(part.type) ? part.children : [];
    const report = inner ? reportOf(inner) : OTHER;
    if (report.kind !== "other") return report;
  }
  return OTHER;
}

/** A report or an automatic reply returns the message that it answers, which may itself be a report. */
function isWrapper({ type, header }: Part): boolean {
  return type !== "multipart/report" && !/^auto-replied/i.test(field(header, "auto-submitted") ?? "");
}

/** A report with its status in a text part; not a read receipt, which names its recipient similarly (RFC 8098). */
function readMislabelled(message: Part, parts: readonly Part[]): DeliveryReport | undefined {
  if (message.type !== "multipart/report") return undefined;
  if (/disposition-notification/i.test(field(message.header, "content-type") ?? "")) return undefined;
  for (const part of parts) {
    if (!/^(?:text\/plain|application\/octet-stream)$/.test(part.type)) continue;
    const content = contentOf(part);
    const start = content.search(/^(?:Reporting-MTA|Final-Recipient):/im);
    const dsn = start === -1 ? undefined : readDeliveryStatus(content.slice(start));
    if (dsn) return dsn;
  }
  return undefined;
}

function textOf(parts: readonly Part[]): string {
  const part = parts.find(({ type }) => type === "text/plain");
  return part ? contentOf(part) : "";
}

/** Header of the message that a report returns, complete or only as a header. */
function returnedHeader(parts: readonly Part[]): Fields | undefined {
  for (const part of parts) {
    if (RETURNED_HEADER.test(part.type)) return readHeader(contentOf(part).trimStart());
    const [inner] = RETURNED_MESSAGE.test(part.type) ? part.children : [];
    if (inner) return inner.header;
  }
  return undefined;
}

/** The returned header has priority, then the report itself. */
function withMessageId(dsn: DeliveryReport, message: Part, original: Fields | undefined): DeliveryReport {
  const originalMessageId =
    readMessageId(field(original, "message-id")) ??
    dsn.originalMessageId ??
    answeredMessageId(message.header);
  return originalMessageId === undefined ? dsn : { ...dsn, originalMessageId };
}
