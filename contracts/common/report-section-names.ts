/**
 * Sections that a report may leave out, in the order of its documents. This file imports nothing: the thread that makes reports needs the names,
 * and no schema.
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
