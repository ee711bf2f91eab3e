import { numberText } from "../number-text.ts";
import { plural } from "../plural.ts";

// Texts of the sources of DMARC reports, and of blacklists.

const messages = { one: "message", other: "messages" };
const sources = { one: "source", other: "sources" };

export const dmarc = {
  title: "DMARC sources",
  detail:
    "Servers that sent mail in the name of your domains, as receivers reported them. Reports arrive once a day, about days in UTC.",
  span: "Days",
  spans: { "7": "7 days", "14": "14 days", "30": "30 days", "90": "90 days" },
  day: "Day",
  result: "DMARC",
  results: { fail: "Sources that fail", pass: "Sources that pass" },
  kind: "Source",
  kinds: { true: "Known service", false: "Unknown" },
  source: "Source",
  messages: "Messages",
  failed: "Fail DMARC",
  failedOf: (count: string, share: string) => `${count} (${share})`,
  dkim: "DKIM aligned",
  spf: "SPF aligned",
  domains: "Domains",
  moreDomains: (count: number) => `and ${numberText(count)} more`,
  addresses: "Addresses",
  byDay: "Messages by day",
  openDay: (day: string) => `Sources on ${day}`,
  showDays: (source: string) => `${source}: by day`,
  ofDay: (count: number, failed: number) =>
    `${plural(count, messages)}, ${numberText(failed)} ${failed === 1 ? "fails" : "fail"}`,
  of: (count: number, total: number) => `${numberText(count)} of ${plural(total, messages)}`,
  dispositions: {
    none: "Accepted",
    quarantine: "Sent to quarantine",
    reject: "Rejected",
    other: "Handled in another way",
  },
  allPass: (total: number) =>
    total === 1 ? "The message passes DMARC." : `All ${numberText(total)} messages pass DMARC.`,
  someFail: (failed: number, total: number) =>
    `${numberText(failed)} of ${plural(total, messages)} ${failed === 1 ? "fails" : "fail"} DMARC.`,
  sources: (count: number) => `${plural(count, sources)} sent mail.`,
  failingSources: (count: number) =>
    `${plural(count, sources)} sent messages that fail, most failures first. The counts cover all sources.`,
  overridden: (count: number) => `Receivers handled ${plural(count, messages)} differently from the policy.`,
  onlyFailing: "Only sources that fail",
  noneFails: "No source fails DMARC",
  noneListed: "No source matches these filters",
  empty: "No DMARC reports in these days",
  emptyDetail:
    "Publish the report address of each domain in the rua tag of its DMARC record. Receivers then report once a day. Reports that you already have can be uploaded at their domain.",
  emptyFiltered: "No report matches these filters",
};

export const blacklists = {
  title: "Blacklists",
  detail: "Entries of your addresses and domains at blacklists, as of the last check of each.",
  tabs: { now: "Now", past: "History", lists: "Lists" },
  subject: "Address or domain",
  list: "List",
  state: "State",
  states: {
    listed: "Listed",
    clean: "Not listed",
    refused: "Query refused",
    error: "Query failed",
    unreliable: "Unreliable list",
    pending: "Not checked yet",
    not_configured: "Not used",
  } as Readonly<Record<string, string>>,
  reason: "Reason",
  since: "Listed since",
  checked: "Checked",
  next: "Next check",
  delist: "Request removal",
  delistAt: (list: string) => `Request removal at ${list}`,
  count: (count: number) => plural(count, { one: "entry", other: "entries" }),
  noneListed: (clean: number) =>
    `No entry at any blacklist. ${plural(clean, { one: "check", other: "checks" })} found none.`,
  someListed: (count: number) =>
    `${plural(count, { one: "entry", other: "entries" })} at blacklists. Find the cause before you request the removal: otherwise the list adds it again.`,
  unknown: (count: number) =>
    `${plural(count, { one: "state is", other: "states are" })} unknown: the list refused the query, failed or is unreliable.`,
  allStates: "All states",
  nothing: "No entry is known",
  nothingDetail: "No list that is in use has an entry of these addresses and domains.",
  empty: "No address or domain is checked yet",
  emptyDetail: "Hermod checks the domains that you watch, and their sending addresses.",
  emptyFiltered: "No entry matches these filters",
  change: "Change",
  changes: { "blacklist.listed": "Listed", "blacklist.delisted": "Removed" } as Readonly<
    Record<string, string>
  >,
  domain: "Domain",
  at: "Time",
  noChanges: "No entry has begun or ended yet",
  noChangesDetail: "Each beginning and end of an entry is kept here for 400 days.",
  health: {
    title: "Health of the lists",
    detail:
      "Hermod tests each list with the entries that every list has. The answers of a list that fails do not count.",
    states: {
      on: "In use",
      untested: "Test is due",
      failing: "Failing",
      off: "Failed twice",
      not_configured: "Not used",
    } as Readonly<Record<string, string>>,
    failures: {
      lists_everything: "It lists everything.",
      rewritten: "A resolver rewrites its answers.",
      lists_nothing: "It lists nothing.",
      wrong_code: "It answers with a wrong code.",
      refused: "It refuses queries of this installation.",
      error: "It does not answer.",
    } as Readonly<Record<string, string>>,
    tested: "Tested",
    weight: "Points",
    budget: "Queries today",
    budgetOf: (today: number, most: number) => `${numberText(today)} of ${numberText(most)}`,
    interval: "Checked every",
    tooSmall: "The budget is too small for all addresses and domains.",
    notConfigured: "The operator has not enabled it.",
    terms: "Terms",
    termsOf: (list: string) => `Terms of ${list}`,
  },
};
