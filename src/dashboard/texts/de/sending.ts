import type * as en from "../en/sending.ts";
import { numberText } from "../number-text.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of the sandbox and of the suppression list.

export const sandbox: Texts<typeof en.sandbox> = {
  title: "Sandbox",
  detail: "E-Mails, die abgefangen statt gesendet wurden.",
  clear: "Alle entfernen",
  all: "Alle abgefangenen E-Mails",
  clearDetail:
    "Entfernt alle abgefangenen E-Mails des Kontos, für alle Mitglieder. Das lässt sich nicht rückgängig machen.",
  empty: "Keine abgefangenen E-Mails",
  emptyDetail:
    "E-Mails mit einer Richtlinie, die den Sandbox-Transport verwendet, erscheinen hier innerhalb einer Sekunde.",
  emptyFiltered: "Keine abgefangene E-Mail passt zu diesen Filtern",
  message: "Abgefangene Nachricht",
  fromTo: (from: string, to: string) => `${from} an ${to}`,
  download: "Quelltext herunterladen",
  views: "Darstellungen der Nachricht",
  width: "Breite der Vorschau",
  widths: { phone: "Smartphone", tablet: "Tablet", desktop: "Volle Breite" },
  unnamed: (number: number) => `Anhang ${number}`,
  recipient: "Empfänger",
  recipientHint: "Empfänger enthält …",
  subject: "Betreff",
  subjectHint: "Betreff enthält …",
  since: "Abgefangen",
  spans: { "1": "letzte Stunde", "24": "letzte 24 Stunden", "168": "letzte 7 Tage" } as Readonly<
    Record<string, string>
  >,
  checks: "Prüfungen",
  checkKinds: {
    size: "Größe",
    links: "Links und Bilder",
    html: "HTML-Unterstützung",
    delivery: "Authentifizierung und Spam",
  } as Readonly<Record<string, string>>,
  severities: { ok: "Gut", info: "Hinweis", warning: "Warnung", problem: "Problem" } as Readonly<
    Record<string, string>
  >,
  moreFindings: (count: number) => `${plural(count, { one: "weiterer Befund", other: "weitere Befunde" })}.`,
};

export const suppressions: Texts<typeof en.suppressions> = {
  title: "Sperrliste",
  detail: "Adressen, an die Hermod nichts sendet.",
  add: "Adresse hinzufügen",
  address: "Adresse",
  addressDetail: "@example.com steht für alle Adressen einer Domain.",
  search: "Adresse oder Domain",
  searchHint: "ann@example.net oder example.net",
  reason: "Grund",
  reasons: {
    hard_bounce: "Unzustellbar",
    manual: "Von Hand hinzugefügt",
    unsubscribe: "Abgemeldet",
    complaint: "Beschwerde",
  } as Readonly<Record<string, string>>,
  counts: "Einträge nach Grund",
  moreThan: (count: string) => `${count}+`,
  since: "Seit",
  spans: {
    "1": "letzte 24 Stunden",
    "7": "letzte 7 Tage",
    "30": "letzte 30 Tage",
    "90": "letzte 90 Tage",
  } as Readonly<Record<string, string>>,
  note: "Notiz",
  scope: "Bereich",
  allMail: "Alle E-Mails",
  empty: "Keine gesperrten Adressen",
  emptyDetail:
    "Adressen, die dauerhaft unzustellbar sind, sich beschweren oder abmelden, erscheinen hier automatisch.",
  emptyFiltered: "Keine Adresse passt zu diesen Filtern",
  rules: (names: string) =>
    `Hinzugefügt. Diese Alarmregeln können dieser Adresse keine E-Mails mehr senden: ${names}.`,
  remove: "Entfernen",
  removeTitle: (address: string) => `${address} entfernen`,
  removeDetail:
    "Ab dem nächsten Versuch werden wieder E-Mails an diese Adresse gesendet. Zuvor gesperrte Nachrichten werden nicht gesendet.",
  more: "Mehr",
  export: "Als CSV exportieren",
  import: "Datei importieren",
  importDetail:
    "CSV mit einer Spalte für Adressen, bis zu 10.000 Zeilen. Das Ergebnis ist zu sehen, bevor etwas gespeichert wird.",
  file: "CSV-Datei",
  chooseFile: "Datei auswählen",
  preview: "Vorschau",
  importNow: (rows: number) => `${plural(rows, { one: "Adresse", other: "Adressen" })} importieren`,
  imported: "Importiert.",
  outcomes: {
    added: "Hinzugefügt",
    strengthened: "Verschärft",
    already_there: "Bereits vorhanden",
    refused: "Abgelehnt",
  } as Readonly<Record<string, string>>,
  refusedRow: (row: number, address: string, message: string) =>
    `Zeile ${row}, ${address || "keine Adresse"}: ${message}`,
  moreRefused: (count: number) =>
    `${plural(count, { one: "weitere Zeile", other: "weitere Zeilen" })} abgelehnt.`,
  removeAll: "Alle Treffer entfernen",
  removeAllTitle: "Alle Einträge entfernen, die zu diesen Filtern passen",
  removeAllDetail:
    "Ab dem nächsten Versuch werden wieder E-Mails an diese Adressen gesendet. Die Liste vorher exportieren.",
  removeAllHarm:
    "Einige dieser Empfänger haben sich beschwert oder abgemeldet. E-Mails an sie schaden Ihrer Reputation und können rechtswidrig sein.",
  removeAllNow: (count: string) => `${count} entfernen`,
  removing: (done: number, total: number) => `${numberText(done)} von ${numberText(total)} entfernt`,
  removed: (done: number, skipped: number) =>
    `${plural(done, { one: "Eintrag", other: "Einträge" })} entfernt.${skipped > 0 ? ` ${numberText(skipped)} währenddessen geändert und nicht entfernt.` : ""}`,
  notRemoved: "Das Entfernen endete, bevor alle Einträge entfernt waren.",
  progress: "Fortschritt des Entfernens",
};
