import { numberText } from "../number-text.ts";
import { plural } from "../plural.ts";

// Texts of the sandbox and of the suppression list.

export const sandbox = {
  title: "Sandbox",
  detail: "Mail that was captured instead of sent.",
  clear: "Remove all",
  all: "All captured mail",
  clearDetail: "Removes all captured mail of the account, for all its members. This cannot be undone.",
  empty: "No captured mail",
  emptyDetail: "Mail with a policy that uses the sandbox transport appears here within a second.",
  emptyFiltered: "No captured mail matches these filters",
  message: "Captured message",
  fromTo: (from: string, to: string) => `${from} to ${to}`,
  download: "Download source",
  views: "Forms of the message",
  width: "Width of the preview",
  widths: { phone: "Phone", tablet: "Tablet", desktop: "Full width" },
  unnamed: (number: number) => `Attachment ${number}`,
  recipient: "Recipient",
  recipientHint: "Recipient contains…",
  subject: "Subject",
  subjectHint: "Subject contains…",
  since: "Captured",
  spans: { "1": "last hour", "24": "last 24 hours", "168": "last 7 days" } as Readonly<
    Record<string, string>
  >,
  checks: "Checks",
  checkKinds: {
    size: "Size",
    links: "Links and pictures",
    html: "HTML support",
    delivery: "Authentication and spam",
  } as Readonly<Record<string, string>>,
  severities: { ok: "Good", info: "Note", warning: "Warning", problem: "Problem" } as Readonly<
    Record<string, string>
  >,
  moreFindings: (count: number) => `${plural(count, { one: "more finding", other: "more findings" })}.`,
};

export const suppressions = {
  title: "Suppressions",
  detail: "Addresses to which Hermod sends nothing.",
  add: "Add an address",
  address: "Address",
  addressDetail: "@example.com stands for all addresses of a domain.",
  search: "Address or domain",
  searchHint: "ann@example.net or example.net",
  reason: "Reason",
  reasons: {
    hard_bounce: "Bounced",
    manual: "Added by hand",
    unsubscribe: "Unsubscribed",
    complaint: "Complained",
  } as Readonly<Record<string, string>>,
  counts: "Entries by reason",
  moreThan: (count: string) => `${count}+`,
  since: "Since",
  spans: { "1": "last 24 hours", "7": "last 7 days", "30": "last 30 days", "90": "last 90 days" } as Readonly<
    Record<string, string>
  >,
  note: "Note",
  scope: "Scope",
  allMail: "All mail",
  empty: "No suppressed addresses",
  emptyDetail: "Addresses that bounce permanently, complain or unsubscribe appear here automatically.",
  emptyFiltered: "No address matches these filters",
  rules: (names: string) => `Added. These alert rules can no longer mail this address: ${names}.`,
  remove: "Remove",
  removeTitle: (address: string) => `Remove ${address}`,
  removeDetail:
    "Mail to this address is sent again from the next attempt on. Messages that were suppressed before are not sent.",
  more: "More",
  export: "Export as CSV",
  import: "Import a file",
  importDetail:
    "CSV with a column of addresses, up to 10,000 rows. You see the result before anything is written.",
  file: "CSV file",
  chooseFile: "Choose a file",
  preview: "Preview",
  importNow: (rows: number) => `Import ${plural(rows, { one: "address", other: "addresses" })}`,
  imported: "Imported.",
  outcomes: {
    added: "Added",
    strengthened: "Strengthened",
    already_there: "Already there",
    refused: "Refused",
  } as Readonly<Record<string, string>>,
  refusedRow: (row: number, address: string, message: string) =>
    `Row ${row}, ${address || "no address"}: ${message}`,
  moreRefused: (count: number) => `${plural(count, { one: "more row is", other: "more rows are" })} refused.`,
  removeAll: "Remove all that match",
  removeAllTitle: "Remove all entries that match these filters",
  removeAllDetail: "Mail to these addresses is sent again from the next attempt on. Export the list before.",
  removeAllHarm:
    "Some of these recipients complained or unsubscribed. Mail to them harms your reputation, and may be unlawful.",
  removeAllNow: (count: string) => `Remove ${count}`,
  removing: (done: number, total: number) => `${numberText(done)} of ${numberText(total)} removed`,
  removed: (done: number, skipped: number) =>
    `${plural(done, { one: "entry was", other: "entries were" })} removed.${skipped > 0 ? ` ${numberText(skipped)} changed during the removal and stayed.` : ""}`,
  notRemoved: "The removal ended before all entries were removed.",
  progress: "Progress of the removal",
};
