import type * as en from "../en/deliveries.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of webhook deliveries, the catalogue of events, and programs that verify requests.

const ofDeliveries = { one: "Übermittlung", other: "Übermittlungen" };

export const deliveries: Texts<typeof en.deliveries> = {
  title: "Webhook-Übermittlungen",
  detail: "Ereignisse auf dem Weg zu Ihren Endpunkten, neueste zuerst. 30 Tage lang gespeichert.",
  state: "Status",
  states: {
    pending: "Ausstehend",
    delivered: "Übermittelt",
    failed: "Fehlgeschlagen",
    dropped: "Verworfen",
  } as Readonly<Record<string, string>>,
  type: "Ereignis",
  status: "Letzte Antwort",
  statuses: {
    "2xx": "2xx",
    "3xx": "3xx",
    "4xx": "4xx",
    "5xx": "5xx",
    none: "keine Antwort",
  } as Readonly<Record<string, string>>,
  endpoint: "Endpunkt",
  gone: "gelöschter Endpunkt",
  time: "Zeit des Ereignisses",
  at: "Zeit des Ereignisses",
  search: "Nachrichten- oder Ereignis-ID",
  searchHint: "msg_… oder webhook-id",
  attempts: "Versuche",
  last: "Letzter Versuch",
  noAttempt: "noch kein Versuch",
  duration: "Dauer",
  next: (at: string) => `nächster Versuch: ${at}`,
  empty: "Noch keine Übermittlungen",
  emptyDetail: "Übermittlungen erscheinen hier, sobald ein Ereignis eintritt, das ein Endpunkt empfängt.",
  emptyFiltered: "Keine Übermittlung passt zu diesen Filtern",
  newer: (count: number) => plural(count, { one: "neue Übermittlung", other: "neue Übermittlungen" }),
  changed: "Einige Zeilen haben sich geändert: Liste aktualisieren",
  searchedSoFar: "Kein Treffer unter den neuesten Übermittlungen",
  searchedSoFarDetail: "Ältere wurden noch nicht durchsucht.",
  retryAll: "Alle ausstehenden jetzt senden",
  replayMatching: "Nach Filter erneut übermitteln",
  retriedAll: (count: number, more: boolean) =>
    `${plural(count, ofDeliveries)} jetzt fällig.${more ? " Weitere stehen aus: Klicken Sie erneut, um sie zu senden." : ""}`,

  says: {
    pending: (at: string) => `Ausstehend. Nächster Versuch: ${at}.`,
    due: "Ausstehend. Der nächste Versuch ist jetzt fällig.",
    delivered: (at: string) => `Vom Endpunkt angenommen: ${at}.`,
    failed: "Aufgegeben: Kein Versuch wurde angenommen. Erneutes Übermitteln ist möglich.",
    dropped: "Verworfen: Der Endpunkt oder die Ressource des Ereignisses wurde entfernt.",
    other: (state: string) => `Status: ${state}.`,
  },
  retry: "Jetzt senden",
  replay: "Erneut übermitteln",
  queued: "Die Übermittlung ist zum Senden in der Warteschlange.",
  facts: "Übermittlung",
  message: "Nachricht",
  eventId: "webhook-id",
  id: "ID",
  attempt: (number: number) => `Versuch ${number}`,
  after: (span: string) => `nach ${span}`,
  noAttempts: "Noch keine Anfrage gesendet",
  to: (url: string, address: string) => (address ? `${url} unter ${address}` : url),
  request: "Header der Anfrage",
  response: "Header der Antwort",
  responseCut: "Die Antwort hatte weitere Header.",
  noHeaders: "Die Header werden für die letzten fünf Versuche gespeichert.",
  hidden: "verborgen",
  hiddenDetail:
    "In den Einstellungen des Endpunkts festgelegt. Hermod speichert den Wert nicht mit einer Übermittlung.",
  answer: "Anfang des Bodys der Antwort",
  noAnswer: "Der Body der Antwort war leer.",
  body: "Gesendeter Body",
  bodyDetail: "In jedem Versuch dieselben Bytes.",
  curl: "Als curl kopieren",
  curlDetail:
    "Der Befehl sendet die Anfrage dieses Versuchs erneut. Ihre Signatur ist fünf Minuten lang gültig. Setzen Sie verborgene Werte selbst ein.",
  fewKept: (kept: number, all: number) => `Die letzten ${kept} von ${all} Versuchen sind gespeichert.`,
};

export const events: Texts<typeof en.events> = {
  title: "Ereigniskatalog",
  detail: "Alle Ereignistypen, mit den Feldern und einem Beispiel ihres Inhalts.",
  search: "Ereignisse suchen",
  searchHint: "Typ, Beschreibung oder Feld",
  none: "Kein Ereignistyp passt",
  count: (count: number) => plural(count, { one: "Ereignistyp", other: "Ereignistypen" }),
  field: "Feld",
  type: "Typ",
  optional: "optional",
  meaning: "Bedeutung",
  fields: (type: string) => `Felder von ${type}`,
  example: "Beispiel",
  version: (version: string) => `Version des Inhalts: ${version}`,
  onlyTests: "Nur als Test gesendet.",
  values: (values: string) => `Mögliche Werte: ${values}.`,
  listOf: (type: string) => `Liste von ${type}`,
  anyOf: " oder ",
  any: "beliebiger Wert",
};

export const verify: Texts<typeof en.verify> = {
  title: "Anfragen prüfen",
  detail:
    "Prüfen Sie jede Anfrage, bevor Sie ihr vertrauen: den Body Byte für Byte, wie er ankam, seine Signatur und einen Zeitstempel, der höchstens fünf Minuten abweicht.",
  secretHint:
    "Der Signaturschlüssel wurde beim Erstellen des Endpunkts angezeigt. Verloren? Erneuern Sie ihn in den Einstellungen.",
  exportSecret: "export WEBHOOK_SECRET='whsec_…'",
  keyHint: "Der öffentliche Schlüssel ist eingesetzt. Er ist nicht geheim.",
  twoKeys:
    "Während einer Erneuerung haben Anfragen die Signaturen beider Schlüssel, daher funktioniert der neue Schlüssel jetzt schon.",
  language: "Sprache",
  languages: { node: "Node.js", python: "Python", go: "Go", php: "PHP", ruby: "Ruby", java: "Java" },
  code: "Programm",
  run: "Ausführen",
  needs: (text: string) => `Benötigt ${text}.`,
  behind: "Das Programm lauscht auf Port 8000. Betreiben Sie es hinter HTTPS unter der URL des Endpunkts.",
  tryIt: "Senden Sie dann ein Testereignis: Das Programm gibt es aus, und die Übermittlung wird angenommen.",
  rules: [
    "Antworten Sie innerhalb von 15 Sekunden mit 200 bis 299, und verarbeiten Sie das Ereignis danach.",
    "Ein Ereignis kann zweimal ankommen, immer mit derselben webhook-id. Merken Sie sich die IDs.",
    "Ereignisse können in beliebiger Reihenfolge ankommen. sequence nummeriert die Ereignisse einer Nachricht.",
  ],
  rulesTitle: "Regeln für Empfänger",
};
