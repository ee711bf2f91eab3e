/**
 * Optional sections of a report, in the order of its documents. This file imports nothing, because the thread that generates
 * reports needs the names but no schema.
 */
export const reportSections = [
  "history",
  "changes",
  "domains",
  "blacklists",
  "provider_rules",
  "sending",
  "dmarc",
  "findings",
  "fixes",
  "not_measured",
  "method",
] as const;
export type ReportSection = (typeof reportSections)[number];
