import type * as en from "../en/watch-import.ts";
import { numberText } from "../number-text.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of the fields that pick domains of Deliverability Intel, and of their import.

const domains = { one: "Domain", other: "Domains" };
const rows = { one: "Zeile", other: "Zeilen" };
const clients = { one: "neuer Client", other: "neue Clients" };

export const intelScope: Texts<typeof en.intelScope> = {
  workspace: "Arbeitsbereich",
  client: "Client",
  domain: "Domain",
  findClient: "Name des Clients",
  findDomain: "Name der Domain",
};

export const watchImport: Texts<typeof en.watchImport> = {
  title: "Domains importieren",
  detail:
    "Fügt viele Domains und ihre Clients aus einer CSV-Datei hinzu. Vorher sehen Sie das Ergebnis jeder Zeile.",
  file: "CSV-Datei",
  fileDetail: "Bis zu 5.000 Zeilen und 2 MiB. Die erste Zeile benennt die Spalten.",
  chooseFile: "Datei auswählen",
  example: "Beispiel speichern",
  exampleClient: "Beispiel GmbH",
  columns: "Spalten der Datei",
  fields: {
    domain: "Name der Domain. Nur diese Spalte ist erforderlich.",
    client: "Name des Clients. Ein Client, den es noch nicht gibt, wird erstellt.",
    client_ref: "Ihre Referenz des Clients. Sie wird vor dem Namen gesucht.",
    client_emails: "Kontaktadressen eines neuen Clients.",
    role: "sending (sendet), receiving (empfängt) oder parked (geparkt). Standard: sending.",
    dkim_selectors: "DKIM-Selektoren, durch Leerzeichen getrennt.",
    sending_ips: "IP-Adressen, die E-Mails der Domain senden, durch Leerzeichen getrennt.",
    paused: "yes (ja) oder no (nein). Eine pausierte Domain wird nicht geprüft.",
    tags: "Tags der Domain, durch Kommas getrennt.",
    notes: "Notizen für Mitglieder.",
  },
  row: "Zeile",
  rows: "Zeilen der Datei",
  outcome: "Ergebnis",
  outcomes: { added: "Neu", already_there: "Schon vorhanden", refused: "Abgelehnt" } as Readonly<
    Record<string, string>
  >,
  domain: "Domain",
  client: "Client",
  newClient: "neu",
  reason: "Grund",
  ofColumn: (column: string, reason: string) => `${column}: ${reason}`,
  summary: (counts: {
    readonly added: number;
    readonly already_there: number;
    readonly refused: number;
    readonly new_clients: number;
  }) =>
    `${plural(counts.added, { one: "neue Domain", other: "neue Domains" })}, ${plural(counts.new_clients, clients)}, ${numberText(counts.already_there)} schon vorhanden, ${plural(counts.refused, rows)} abgelehnt.`,
  nothingYet: "Noch ist nichts geändert. Vorhandene Domains und Clients bleiben, wie sie sind.",
  nothingNew: "Keine Zeile fügt eine Domain hinzu. Korrigieren Sie die Datei, und wählen Sie sie erneut aus.",
  ignored: (names: string) => `Diese Spalten werden nicht gelesen: ${names}.`,
  begin: (added: number) => `${plural(added, domains)} importieren`,
  again: "Datei erneut prüfen",
  saveRefused: "Abgelehnte Zeilen speichern",
  refusedColumns: ["Zeile", "Domain", "Spalte", "Grund"],
  noRows: "Keine Zeile hat dieses Ergebnis",
  more: (count: number, total: number) => `${numberText(count)} weitere von ${plural(total, rows)} anzeigen`,
  progress: "Fortschritt des Imports",
  running: (done: number, total: number) =>
    `${plural(total, rows)} werden importiert, ${numberText(done)} sind fertig.`,
  done: (done: number, skipped: number, failed: number) =>
    `${plural(done, domains)} importiert, ${numberText(skipped)} schon vorhanden, ${numberText(failed)} fehlgeschlagen.`,
  notDone: (done: number) => `Der Import endete vorzeitig: ${plural(done, domains)} importiert.`,
  checksBegin: "Hermod prüft jede neue Domain innerhalb von Minuten.",
  importAgain: "Importieren Sie dieselbe Datei erneut: Nur fehlende Domains werden hinzugefügt.",
  job: "Auftrag",
  another: "Weitere Datei importieren",
};
