import type * as en from "../en/watch-changes.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of changes of watched domains, and of mutes.

export const watchChanges: Texts<typeof en.watchChanges> = {
  title: "Änderungen",
  detail:
    "Neue und erledigte Befunde, Einträge auf Blacklists und Zustände überwachter Domains, die neuesten zuerst.",
  thisWeek: "Änderungen dieser Woche",
  all: "Alle Änderungen",
  quiet: "In den letzten sieben Tagen änderte sich nichts",
  newest: (count) => `Die neuesten ${plural(count, { one: "Änderung", other: "Änderungen" })}:`,
  empty: "Noch keine Änderungen",
  emptyDetail: "Hermod hält fest, was sich von einer Prüfung einer Domain zur nächsten ändert.",
  emptyFiltered: "Keine Änderung passt zu diesen Filtern",
  kind: "Art",
  kinds: {
    "finding.opened": "Neuer Befund",
    "finding.resolved": "Befund erledigt",
    "watched_domain.status_changed": "Zustand geändert",
    "blacklist.listed": "Eintrag beginnt",
    "blacklist.delisted": "Eintrag endet",
  },
  counts: {
    "finding.opened": (count) => plural(count, { one: "neuer Befund", other: "neue Befunde" }),
    "finding.resolved": (count) => plural(count, { one: "Befund erledigt", other: "Befunde erledigt" }),
    "watched_domain.status_changed": (count) =>
      plural(count, { one: "Änderung des Zustands", other: "Änderungen des Zustands" }),
    "blacklist.listed": (count) =>
      plural(count, { one: "neuer Eintrag auf einer Blacklist", other: "neue Einträge auf Blacklists" }),
    "blacklist.delisted": (count) =>
      plural(count, { one: "Eintrag auf einer Blacklist beendet", other: "Einträge auf Blacklists beendet" }),
  },
  domain: "Domain",
  change: "Änderung",
  at: "Zeit",
  status: (from, to) => `${from} → ${to}`,
  listed: (list, subject) => `${list} führt ${subject}.`,
  delisted: (list, subject) => `${list} führt ${subject} nicht mehr.`,
};

export const mutes: Texts<typeof en.mutes> = {
  title: "Stummschaltungen",
  detail:
    "Eine stummgeschaltete Prüfung gilt bis zum Ende nicht als Befund: Sie meldet nichts. Die Wertung bleibt gleich.",
  all: "Alle Stummschaltungen",
  none: "Keine Prüfung ist stummgeschaltet.",
  empty: "Keine Prüfung ist stummgeschaltet",
  emptyDetail:
    "Um einen Befund eine Zeit lang hinzunehmen, öffnen Sie ihn auf der Seite der Domain und schalten ihn mit einem Grund stumm.",
  check: "Prüfung",
  domain: "Domain",
  reason: "Grund",
  noReason: "Kein Grund angegeben",
  by: "Von",
  until: "Bis",
  unmute: "Aufheben",
  unmuteOne: (check, domain) => `Aufheben: ${check}, ${domain}`,
  unmuted: (check, domain) => `„${check}“ von ${domain} ist nicht mehr stummgeschaltet.`,
};
