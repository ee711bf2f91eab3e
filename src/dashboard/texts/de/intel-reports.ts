import type * as en from "../en/intel-reports.ts";
import { numberText } from "../number-text.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of the reports of Deliverability Intel, their links and labels.

const days = { one: "Tag", other: "Tage" };

export const intelReports: Texts<typeof en.intelReports> = {
  title: "Berichte",
  detail:
    "Bewertungen, Befunde und Korrekturen eines Clients, einer Domain oder eines Arbeitsbereichs, zum Öffnen, Speichern und Teilen.",
  inProgress: "Berichte in Arbeit",
  create: "Bericht erstellen",
  createDetail: "Ein großer Bericht dauert einige Minuten. Seine Seite zeigt den Fortschritt.",
  createAction: "Erstellen",
  empty: "Noch keine Berichte",
  emptyDetail: "Erstellen Sie einen Bericht über einen Client, und teilen Sie ihn per Link oder als PDF.",
  emptyFiltered: "Kein Bericht passt zu diesen Filtern",
  subject: "Gegenstand",
  kind: "Über",
  about: "Über",
  scopes: { workspace: "Arbeitsbereich", client: "Client", domain: "Domain" } as Readonly<
    Record<string, string>
  >,
  period: "Zeitraum",
  periods: {
    "7": "Letzte 7 Tage",
    "30": "Letzte 30 Tage",
    "90": "Letzte 90 Tage",
    month: "Letzter Kalendermonat",
  },
  created: "Erstellt",
  keptUntil: "Aufbewahrt bis",
  sections: "Abschnitte",
  sectionsDetail: "Leer: alle Abschnitte.",
  sectionNames: {
    history: "Verlauf der Bewertung",
    changes: "Änderungen",
    domains: "Domains",
    blacklists: "Blacklists",
    provider_rules: "Regeln der Postfachanbieter",
    sending: "Gesendete E-Mails",
    dmarc: "DMARC-Berichte",
    findings: "Befunde",
    fixes: "Korrekturen mit Einträgen",
    not_measured: "Nicht gemessen",
    method: "Methode",
  },
  untitled: "Bericht",
  of: (kind: string, period: string) => `${kind}, ${period}.`,
  frame: "Der Bericht",
  frameDetail: "So sehen Leser eines Links den Bericht.",
  queued: "Der Bericht wartet, bis er an der Reihe ist.",
  running: (done: number | undefined, total: number | undefined) =>
    done === undefined || total === undefined
      ? "Der Bericht wird erstellt."
      : `Der Bericht wird erstellt: Schritt ${numberText(Math.min(done + 1, total))} von ${numberText(total)}.`,
  waitDetail:
    "Sie können diese Seite verlassen. Der Bericht wird fertiggestellt und erscheint dann in der Liste.",
  progress: "Fortschritt des Berichts",
  failed: "Der Bericht konnte nicht erstellt werden.",
  cancelled: "Der Bericht wurde abgebrochen.",
  savePdf: "Als PDF speichern",
  saveHtml: "Als HTML speichern",
  saveJson: "Als JSON speichern",
  more: "Mehr",
  remove: "Bericht entfernen",
  removeTitle: (name: string) => `Bericht über ${name} entfernen?`,
  removeDetail:
    "Der Bericht wird sofort mit allen seinen Links entfernt. Nachrichten mit dem Bericht bleiben.",
  share: "Per Link teilen",
  shareDetail:
    "Der Link öffnet diesen Bericht ohne Anmeldung, und nichts anderes aus dem Konto. Sie können ihn jederzeit widerrufen.",
  validFor: "Gültig für",
  days: (count: number) => plural(count, days),
  note: "Notiz",
  noteDetail: "Für Mitglieder, um Links zu unterscheiden. Leser des Berichts sehen sie nicht.",
  noNote: "Keine Notiz",
  createLink: "Link erstellen",
  link: "Link zum Bericht",
  linkOnce:
    "Kopieren Sie den Link jetzt. Hermod kann ihn nicht erneut anzeigen: Ein verlorener Link wird durch einen neuen ersetzt.",
  links: "Links",
  noLinks: "Noch keine Links. Ein Link öffnet den Bericht für Personen ohne Konto.",
  state: "Zustand",
  linkStates: { active: "Aktiv", expired: "Abgelaufen", revoked: "Widerrufen" } as Readonly<
    Record<string, string>
  >,
  ends: "Ende",
  opens: "Geöffnet",
  downloads: "PDF gespeichert",
  lastOpened: "Zuletzt geöffnet",
  revoke: "Widerrufen",
  revokeOne: (note: string) => `Widerrufen: ${note}`,
  revokeTitle: "Diesen Link widerrufen?",
  revokeDetail: (note: string) =>
    `${note === "" ? "Der Link" : `Der Link „${note}“`} öffnet von jetzt an nichts mehr. Das lässt sich nicht rückgängig machen.`,
};
