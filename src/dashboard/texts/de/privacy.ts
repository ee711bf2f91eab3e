import type * as en from "../en/privacy.ts";
import { numberText } from "../number-text.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of retention times, erasures, and of the account as a whole.

export const retention: Texts<typeof en.retention> = {
  title: "Datenschutz und Aufbewahrung",
  detail:
    "Wie lange Hermod Ihre Daten aufbewahrt, wie sich die Daten einer Person löschen und wie sich Ihre Daten mitnehmen lassen.",
  times: "Aufbewahrungsfristen",
  data: "Daten",
  kept: "Aufbewahrt für",
  most: "Höchstens",
  set: "Festgelegt von",
  own: "diesem Konto",
  installation: "der Installation",
  names: {
    content_days: "Inhalte von Nachrichten",
    message_days: "Nachrichten und ihre Ereignisse",
    request_days: "Anfrage-Log",
    sandbox_hours: "Abgefangene E-Mails in der Sandbox",
    audit_days: "Audit-Log und Nachweise von Löschungen",
  },
  starts: {
    content_days: "ab der Annahme",
    message_days: "ab dem Ende der Nachricht",
    request_days: "ab der Anfrage",
    sandbox_hours: "ab dem Abfangen",
    audit_days: "Mitglieder können sie nicht verkürzen",
  },
  days: (count: number) => plural(count, { one: "Tag", other: "Tage" }),
  hours: (count: number) => plural(count, { one: "Stunde", other: "Stunden" }),
  applied: "Abgelaufene Daten zuletzt entfernt:",
  change: "Fristen ändern",
  changeTitle: "Aufbewahrungsfristen ändern",
  changeDetail: "Leer: die Frist der Installation. E-Mails, die auf das Senden warten, werden nie entfernt.",
  fieldDays: (name: string) => `${name}, in Tagen`,
  fieldHours: (name: string) => `${name}, in Stunden`,
  bounds: (most: number) => `1 bis ${numberText(most)}. Leer: ${numberText(most)}, wie die Installation.`,
  shortened: (names: string) =>
    `Kürzer als jetzt: ${names}. Ältere Daten werden innerhalb von Minuten endgültig entfernt. Niemand kann sie wiederherstellen.`,
  save: "Speichern",
};

export const erasure: Texts<typeof en.erasure> = {
  card: "Gelöschte Empfänger",
  erase: "Empfänger löschen",
  empty: "Es wurde kein Empfänger gelöscht",
  emptyDetail:
    "Wenn eine Person Sie bittet, ihre Daten zu löschen, entfernt Hermod diese überall und behält einen Nachweis ohne die Adresse.",
  state: "Status",
  states: { running: "Läuft", done: "Abgeschlossen" } as Readonly<Record<string, string>>,
  id: "Löschung",
  requestedBy: "Angefordert von",
  requested: "Angefordert",
  finished: "Abgeschlossen",
  eraseDetail:
    "Entfernt alle Nachrichten an die Adresse mit ihrem Inhalt und ihren Ereignissen, abgefangene Kopien und die Adresse in den Logs. Das lässt sich nicht rückgängig machen.",
  recipient: "Adresse des Empfängers",
  count: "Daten zählen",
  found: "Hermod würde jetzt entfernen:",
  counts: {
    messages: "Nachrichten",
    waiting: "Davon Nachrichten, die auf das Senden warten",
    notices: "Benachrichtigungen an Absender",
    events: "Ereignisse",
    captured: "Kopien in der Sandbox",
    suppressions: "Einträge der Sperrliste",
  },
  incomplete: "Es gibt mehr Nachrichten als diese.",
  nothing:
    "Hermod hat keine Daten zu dieser Adresse. Die Löschung lässt sich trotzdem starten, für den Nachweis.",
  keep: "Adresse auf der Sperrliste behalten",
  keepDetail:
    "Dann wird nichts mehr an sie gesendet. Ohne diese Auswahl wird die nächste Nachricht an die Adresse gesendet.",
  eraseNow: "Endgültig löschen",
  title: "Löschung eines Empfängers",
  running: "Hermod entfernt die Daten. Das dauert mindestens eine Minute. Sie können diese Seite verlassen.",
  runningWaiting: (count: number) =>
    `${plural(count, { one: "Nachricht ist", other: "Nachrichten sind" })} noch bei einem Worker in Arbeit.`,
  done: (at: string) =>
    `Alle Daten über den Empfänger wurden entfernt (${at}). Eine letzte Prüfung des gesamten Kontos hat nichts mehr gefunden.`,
  doneDetail: "Diese Seite ist der Nachweis. Sie enthält die Adresse nicht.",
  download: "Als JSON herunterladen",
  print: "Drucken",
  removed: "Entfernt",
  what: "Daten",
  number: "Anzahl",
  collections: {
    messages: "Nachrichten",
    contents: "Inhalte",
    events: "Ereignisse",
    suppressions: "Einträge der Sperrliste",
    chunks: "Teile großer Inhalte",
    sandboxMessages: "Kopien in der Sandbox",
    quarantine: "Einträge der Quarantäne",
    jobs: "Aufträge für die Adresse",
    webhookDeliveries: "Übermittlungen an Webhooks",
    eventLog: "Ereignisse für Webhooks",
    searchIndex: "Einträge des Suchindex",
    notDelivered: "Nachrichten an andere, die die Adresse nicht mehr nennen",
    auditEntriesChanged: "Einträge des Audit-Logs ohne die Adresse",
    requestsChanged: "Anfragen, die die Nachrichten nicht mehr nennen",
  } as Readonly<Record<string, string>>,
  nothingRemoved: "Noch nichts",
  facts: "Angaben",
  checked: "Letzte Prüfung",
  checkedCounts: (messages: string, captured: string, entries: string) =>
    `${messages} Nachrichten, ${captured} abgefangene Nachrichten, ${entries} Einträge des Audit-Logs: nichts übrig`,
  suppression: "Sperrliste",
  keptSuppressed: "Adresse wie angefordert behalten",
  notKeptSuppressed: "Adresse entfernt",
  left: "Daten, die bleiben",
  leftNames: {
    shared_bodies: "Inhalte, die auch andere Empfänger erhalten haben",
    mentions: "Nachrichten an andere, die die Adresse erwähnen",
    suppressions: "Einträge der Sperrliste, wie angefordert behalten",
  },
  hash: "Hash der Adresse",
  salt: "Salt",
  check: "Prüfen, ob dieser Nachweis zu einer Adresse gehört",
  command: "Befehl",
  checkDetail: "Setzen Sie die Adresse in Kleinbuchstaben in diesen Befehl ein. Er gibt den Hash aus.",
};

export const account: Texts<typeof en.account> = {
  card: "Konto",
  name: "Name",
  rename: "Umbenennen",
  renameTitle: "Konto umbenennen",
  renameDetail: "Mitglieder und Einladungen zeigen den Namen. Sonst hängt nichts davon ab.",
  save: "Speichern",
  created: "Erstellt:",
  exportTitle: "Alle Daten des Kontos exportieren",
  export: "Exportieren",
  exportDetail:
    "Eine Datei mit Mitgliedern, Schlüsseln, Domains, Nachrichten, Sperren und dem Audit-Log, ohne Geheimnisse.",
  exportHow:
    "Die Datei ist NDJSON: ein JSON-Objekt pro Zeile. Der Browser zeigt den Fortschritt des Downloads. Die letzte Zeile hat die Art „end“ und zählt alle anderen: Eine Datei ohne sie ist unvollständig, dann starten Sie den Export erneut.",
  exportBodies: "Mit den Inhalten der Nachrichten",
  exportBodiesDetail: "Die Datei wird dann viel größer.",
  exportStarted: "Der Download hat begonnen. Sie können mit anderen Seiten weiterarbeiten.",
  danger: "Gefahrenzone",
  delete: "Konto löschen",
  deleteDetail:
    "Entfernt das Konto mit seinen Schlüsseln, Nachrichten, Domains und Einstellungen. Benutzer bleiben bestehen.",
  deleteWarning:
    "Programme mit Schlüsseln dieses Kontos werden sofort abgewiesen. Wartende E-Mails werden storniert. Alles wird endgültig entfernt. Nur eine Sicherung des Betreibers könnte es wiederherstellen.",
  deleteExport: "Exportieren Sie die Daten vorher, falls Sie etwas davon brauchen.",
  typeName: (name: string) => `Namen des Kontos eingeben: ${name}`,
  deleteNow: "Endgültig löschen",
};
