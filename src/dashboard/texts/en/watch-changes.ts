import { plural } from "../plural.ts";

// Texts of changes of watched domains, and of mutes.

export const watchChanges = {
  title: "Changes",
  detail: "New and resolved findings, blacklist entries and states of watched domains, newest first.",
  thisWeek: "Changes this week",
  all: "All changes",
  quiet: "Nothing changed in the last seven days",
  newest: (count: number) => `Newest ${plural(count, { one: "change", other: "changes" })}:`,
  empty: "No changes yet",
  emptyDetail: "Hermod notes what changes from one check of a domain to the next.",
  emptyFiltered: "No change matches these filters",
  kind: "Kind",
  kinds: {
    "finding.opened": "New finding",
    "finding.resolved": "Finding resolved",
    "watched_domain.status_changed": "State changed",
    "blacklist.listed": "Entry begins",
    "blacklist.delisted": "Entry ends",
  } as Readonly<Record<string, string>>,
  counts: {
    "finding.opened": (count: number) => plural(count, { one: "new finding", other: "new findings" }),
    "finding.resolved": (count: number) =>
      plural(count, { one: "finding resolved", other: "findings resolved" }),
    "watched_domain.status_changed": (count: number) =>
      plural(count, { one: "change of a state", other: "changes of states" }),
    "blacklist.listed": (count: number) =>
      plural(count, { one: "new blacklist entry", other: "new blacklist entries" }),
    "blacklist.delisted": (count: number) =>
      plural(count, { one: "blacklist entry ended", other: "blacklist entries ended" }),
  },
  domain: "Domain",
  change: "Change",
  at: "Time",
  status: (from: string, to: string) => `${from} → ${to}`,
  listed: (list: string, subject: string) => `${list} lists ${subject}.`,
  delisted: (list: string, subject: string) => `${list} no longer lists ${subject}.`,
};

export const mutes = {
  title: "Mutes",
  detail:
    "A muted check is no finding until the mute ends: it sends no notification. The score stays the same.",
  all: "All mutes",
  none: "No check is muted.",
  empty: "No check is muted",
  emptyDetail:
    "To accept a finding for a time, open it on the page of its domain, and mute it with a reason.",
  check: "Check",
  domain: "Domain",
  reason: "Reason",
  noReason: "No reason given",
  by: "Muted by",
  until: "Until",
  unmute: "Unmute",
  unmuteOne: (check: string, domain: string) => `Unmute: ${check}, ${domain}`,
  unmuted: (check: string, domain: string) => `“${check}” of ${domain} is no longer muted.`,
};
