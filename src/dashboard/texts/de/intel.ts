import type * as en from "../en/intel.ts";
import type { Texts } from "../of-language.ts";

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
};
