import { withoutUndefined } from "../../shared/without-undefined.ts";
import { type Fields, field, readFieldGroups } from "./fields.ts";
import {
  type DeliveryAction,
  type DeliveryReport,
  MAX_REPORTED_RECIPIENTS,
  type RecipientReport,
} from "./report.ts";
import { findStatus, readHost, readMessageId, readReportAddress, untyped } from "./report-values.ts";
import { safeText } from "./safe-text.ts";

const ACTIONS: readonly DeliveryAction[] = ["failed", "delayed", "delivered", "relayed", "expanded"];

/**
 * Parses the body of a `message/delivery-status` (RFC 3464) or `message/global-delivery-status` (RFC 6533) part; undefined if
 * it names no recipient.
 */
export function readDeliveryStatus(content: string): DeliveryReport | undefined {
  const groups = readFieldGroups(content, "final-recipient");
  const perRecipient = groups
    .map(readRecipient)
    .filter((recipient) => recipient !== undefined)
    .slice(0, MAX_REPORTED_RECIPIENTS);
  if (perRecipient.length === 0) return undefined;
  return withoutUndefined({
    kind: "dsn" as const,
    perRecipient,
    reportingMta: readHost(first(groups, "reporting-mta")),
    // Not in the standard, but in Gmail's reports, also when the message was not returned.
    originalMessageId: readMessageId(first(groups, "x-original-message-id")),
    originalEnvelopeId: safeText(first(groups, "original-envelope-id")),
  });
}

function readRecipient(fields: Fields): RecipientReport | undefined {
  const originalRecipient = readReportAddress(field(fields, "original-recipient"));
  const finalRecipient = readReportAddress(field(fields, "final-recipient")) ?? originalRecipient;
  if (finalRecipient === undefined) return undefined;
  const diagnosticCode = untyped(field(fields, "diagnostic-code"));
  const status = findStatus(field(fields, "status")) ?? findStatus(diagnosticCode);
  return withoutUndefined({
    finalRecipient,
    originalRecipient,
    action: readAction(field(fields, "action"), status),
    status,
    diagnosticCode,
    remoteMta: readHost(field(fields, "remote-mta")),
  });
}

/** Hosts that write `failure` or `delay`, or nothing, are understood by the start of the word or by the status. */
function readAction(value: string | undefined, status: string | undefined): DeliveryAction {
  const start = /^[a-z]{4}/.exec(value?.toLowerCase() ?? "")?.[0];
  const action = start && ACTIONS.findLast((each) => each.startsWith(start));
  if (start === "dela") return "delayed";
  if (action) return action;
  if (status?.startsWith("2")) return "delivered";
  return status?.startsWith("4") ? "delayed" : "failed";
}

function first(groups: readonly Fields[], name: string): string | undefined {
  return field(
    groups.find((fields) => fields.has(name)),
    name,
  );
}
