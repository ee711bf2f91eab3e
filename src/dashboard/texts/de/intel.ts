import type * as en from "../en/intel.ts";
import { numberText } from "../number-text.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of Deliverability Intel that several of its pages share, and those of workspaces.

export const intel: Texts<typeof en.intel> = {
  title: "Zustellbarkeit",
  workspace: "Arbeitsbereich",
  score: "Wertung",
  noScore: "Noch nicht gemessen",
  statuses: {
    pending: "Noch nicht geprüft",
    healthy: "In Ordnung",
    warning: "Warnung",
    critical: "Kritisch",
    error: "Nicht messbar",
    paused: "Angehalten",
  },
};

export const workspaces: Texts<typeof en.workspaces> = {
  title: "Arbeitsbereiche",
  detail:
    "Deliverability Intel überwacht die Domains Ihrer Kunden. Arbeitsbereiche sehen die Kunden und Domains der anderen nicht.",
  empty: "Noch keine Arbeitsbereiche",
  name: "Name",
  clients: "Kunden",
  domains: "Überwachte Domains",
  listings: "Einträge auf Blacklists",
  create: "Arbeitsbereich erstellen",
  createDetail: "Er hat noch keine Kunden. Arbeitsbereiche lassen sich nicht löschen.",
  createAction: "Erstellen",
  nameDetail: "1 bis 100 Zeichen. Nichts hängt davon ab.",
  rename: "Umbenennen",
  meanOf: (domains, clients) =>
    `Mittel von ${plural(domains, { one: "Domain", other: "Domains" })} und ${plural(clients, { one: "Kunde", other: "Kunden" })}`,
  countOf: (count, most) => `${numberText(count)} von höchstens ${numberText(most)}`,
  resolver: "DNS-Resolver",
  dnssec: "Prüft DNSSEC",
  noDnssec: "Prüft DNSSEC nicht",
  dnssecUnknown: "Noch nicht getestet",
};
