import type * as en from "../en/webhooks.ts";
import { numberText } from "../number-text.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of webhook endpoints and of replays.

const requests = { one: "Anfrage", other: "Anfragen" };
const ofDeliveries = { one: "Übermittlung", other: "Übermittlungen" };

export const webhooks: Texts<typeof en.webhooks> = {
  title: "Webhooks",
  detail: "Hermod sendet Ereignisse per POST an Ihre URLs, mit Signatur.",
  add: "Endpunkt hinzufügen",
  empty: "Noch keine Endpunkte",
  emptyDetail:
    "Fügen Sie die URL Ihres Programms hinzu, um Zustellungen, Unzustellbarkeiten, Klicks und andere Ereignisse innerhalb einer Sekunde zu erhalten.",
  url: "URL",
  urlDetail: "HTTPS-URL Ihres Programms, das die Ereignisse empfängt.",
  description: "Beschreibung",
  state: "Status",
  states: { enabled: "Aktiv", disabled: "Deaktiviert" },
  failingSince: (at: string) => `Schlägt fehl seit ${at}`,
  disabledFor: {
    owner: "Von einem Mitglied deaktiviert",
    gone: "Deaktiviert: hat mit 410 geantwortet",
    failing: "Deaktiviert: fünf Tage lang fehlgeschlagen",
  } as Readonly<Record<string, string>>,
  types: "Ereignistypen",
  allTypes: "Alle Ereignisse",
  typeCount: (count: number) => plural(count, { one: "Typ", other: "Typen" }),
  success: "Angenommen, 24 h",
  noRequests: "keine Anfragen",
  notLoaded: "nicht geladen",
  ofRequests: (rate: string, count: number) => `${rate} von ${plural(count, requests)}`,
  tabs: {
    overview: "Übersicht",
    deliveries: "Übermittlungen",
    settings: "Einstellungen",
    versions: "Versionen",
    verify: "Prüfen",
  },
  settings: "Einstellungen",
  which: "Ereignisse",
  choices: { all: "Alle Ereignisse", chosen: "Ausgewählte Ereignistypen" },
  choiceDetails: {
    all: "Jeder Typ, auch Typen, die in späteren Hermod-Versionen hinzukommen.",
    chosen: "Nur die Typen, die Sie unten auswählen.",
  },
  chooseType: "Wählen Sie mindestens einen Ereignistyp.",
  group: (name: string) => `Alle Ereignisse der Gruppe „${name}“`,
  tags: "Tags",
  tagsDetail: "Nur Ereignisse von Nachrichten mit einem dieser Tags. Leer: alle Nachrichten.",
  policies: "Routing-Richtlinien",
  policiesDetail: "Nur Ereignisse von Nachrichten mit einer dieser Richtlinien. Leer: alle Nachrichten.",
  order: "Reihenfolge",
  ordered: "Reihenfolge der Ereignisse einer Nachricht einhalten",
  orderedDetail:
    "Solange ein Ereignis auf seinen nächsten Versuch wartet, warten auch spätere Ereignisse derselben Nachricht.",
  rate: "Anfragen pro Sekunde",
  rateDetail: "1 bis 1.000. Weitere Übermittlungen warten. Leer: kein Limit.",
  unlimited: "Kein Limit",
  headers: "Header",
  headersDetail:
    "Werden mit jeder Anfrage zusätzlich zu den Headern von Hermod gesendet. Ihre Werte werden nie wieder angezeigt.",
  headerName: (number: number) => `Name von Header ${number}`,
  headerValue: (number: number) => `Wert von Header ${number}`,
  headerNameHint: "Authorization",
  headerStays: "Leer: Der gespeicherte Wert bleibt",
  addHeader: "Header hinzufügen",
  removeHeader: (name: string) => `Header ${name} entfernen`,
  headersAgain:
    "Die URL hat sich geändert. Geben Sie die Werte aller Header erneut ein: Hermod sendet sie nicht an eine andere URL.",
  valueOf: (header: string) => `Wert von ${header}`,
  valuesUnknown:
    "Hermod kennt die Werte dieser Header für die URL der Version nicht. Geben Sie sie ein: Sie werden nie wieder angezeigt. Um auf einen Header zu verzichten, ändern Sie stattdessen die Einstellungen.",
  restoreDetail:
    "Speichert die Einstellungen der Version als neue Version. Auch ausstehende Übermittlungen werden mit ihnen gesendet. Header behalten ihre jetzigen Werte, wenn die URL gleich bleibt. Der Signaturschlüssel bleibt, und der Endpunkt bleibt aktiv oder deaktiviert.",
  algorithm: "Signatur",
  algorithmFixed: "Sie kann später nicht geändert werden.",
  algorithms: { "hmac-sha256": "HMAC-SHA256", ed25519: "Ed25519" } as Readonly<Record<string, string>>,
  algorithmDetails: {
    "hmac-sha256":
      "Mit einem geheimen Schlüssel, den Ihr Programm und Hermod kennen. Alle Bibliotheken für Standard Webhooks unterstützen das.",
    ed25519:
      "Mit einem Schlüsselpaar: Ihr Programm hat nur den öffentlichen Schlüssel, der nicht geheim ist.",
  } as Readonly<Record<string, string>>,
  save: "Speichern",
  saved: "Die Einstellungen sind gespeichert. Auch ausstehende Übermittlungen werden mit ihnen gesendet.",
  loadCurrent: "Aktuelle Einstellungen laden",
  loadCurrentDetail: "Ihre Eingaben werden verworfen.",
  created: "Der Endpunkt wurde erstellt",
  secret: "Signaturschlüssel",
  publicKey: "Öffentlicher Schlüssel",
  secrets: "Signaturschlüssel",
  keys: "Signaturschlüssel",
  secretCreated: (at: string) => `Erstellt: ${at}`,
  secretCurrent: "Aktueller Schlüssel",
  secretFormer: (until: string) => `Früherer Schlüssel, signiert bis ${until}`,
  formerHint: (until: string) =>
    `Bis ${until} haben Anfragen die Signaturen beider Schlüssel. Programme, die noch mit dem früheren prüfen, lehnen Anfragen danach ab. Aktualisieren Sie die Programme vorher.`,
  rotate: "Erneuern",
  rotateTitle: "Signaturschlüssel erneuern",
  rotateDetail:
    "Erstellt einen neuen Signaturschlüssel. Während der Überlappung haben Anfragen die Signaturen beider Schlüssel, damit Programme ohne Ausfall wechseln können.",
  overlap: "Der aktuelle Schlüssel signiert noch",
  overlaps: {
    "0": "gar nicht: er endet sofort",
    "3600": "1 Stunde",
    "86400": "24 Stunden",
    "259200": "3 Tage",
    "604800": "7 Tage",
  } as Readonly<Record<string, string>>,
  rotated: "Der Endpunkt hat einen neuen Signaturschlüssel",
  more: "Mehr",
  disable: "Deaktivieren",
  disableTitle: "Endpunkt deaktivieren",
  disableDetail:
    "Hermod sendet ihm nichts. Ausstehende Übermittlungen schlagen jetzt fehl und lassen sich später erneut übermitteln. Ereignisse, die eintreten, solange er deaktiviert ist, werden ihm nie gesendet.",
  enable: "Aktivieren",
  enableTitle: "Endpunkt aktivieren",
  enableDetail:
    "Er empfängt Ereignisse, die ab jetzt eintreten. Frühere Übermittlungen werden erst gesendet, wenn Sie sie erneut übermitteln. Hermod sendet sofort ein Testereignis und zeigt, ob Ihr Programm es annimmt.",
  enabledWell: "Der Endpunkt ist aktiv und hat ein Testereignis angenommen.",
  enabledBadly: "Der Endpunkt ist aktiv, hat aber das Testereignis nicht angenommen.",
  disableAgain: "Wieder deaktivieren",
  delete: "Löschen",
  deleteTitle: "Endpunkt löschen",
  deleteDetail:
    "Ausstehende Übermittlungen werden nie gesendet. Die Übermittlungen des Endpunkts bleiben in der Liste, bis sie ablaufen.",
  test: "Testereignis senden",
  testDetail:
    'Sendet jetzt ein Beispiel, auch von einem Typ, den der Endpunkt nicht empfängt. Es hat "test": true.',
  testType: "Ereignistyp",
  testSent: "Das Testereignis ist unterwegs.",
  testAccepted: (status: number, span: string) => `Mit ${status} nach ${span} angenommen.`,
  testFailed: (detail: string) => `Nicht angenommen: ${detail}.`,
  testAgain: (at: string) => `Nächster Versuch: ${at}.`,
  openDelivery: "Übermittlung öffnen",
  health: {
    accepted: (count: number) =>
      count === 1
        ? "Der Endpunkt hat die einzige Anfrage der letzten 24 Stunden angenommen."
        : `Der Endpunkt hat alle ${plural(count, requests)} der letzten 24 Stunden angenommen.`,
    partly: (rate: string, count: number) =>
      `Der Endpunkt hat in den letzten 24 Stunden ${rate} von ${plural(count, requests)} angenommen.`,
    quiet: "In den letzten 24 Stunden wurde kein Ereignis an den Endpunkt gesendet.",
    failing: (since: string) => `Der Endpunkt hat seit ${since} nichts angenommen.`,
    failingEnd: (at: string) => `Wenn das so bleibt, deaktiviert Hermod ihn: ${at}.`,
    slow: (p95: string) => `5 % der Anfragen dauern länger als ${p95}. Antworten Sie vor der Verarbeitung.`,
  },
  why: {
    title: "Grund der Deaktivierung",
    reasons: {
      owner: (at: string) => `Ein Mitglied hat den Endpunkt deaktiviert: ${at}.`,
      gone: (at: string) =>
        `Der Endpunkt hat mit 410 (Gone) geantwortet: ${at}. Für Hermod bedeutet das, dass er keine Ereignisse mehr will.`,
      failing: (at: string) =>
        `Fünf Tage lang ist jede Übermittlung fehlgeschlagen. Hermod hat den Endpunkt deaktiviert: ${at}.`,
    } as Readonly<Record<string, (at: string) => string>>,
    other: (reason: string, at: string) => `Deaktiviert: ${at} (${reason}).`,
    last: "Letzte fehlgeschlagene Übermittlungen",
    noFailures: "Keine fehlgeschlagene Übermittlung ist gespeichert.",
    allFailures: "Alle fehlgeschlagenen Übermittlungen",
    next: "So geht es weiter: das Programm reparieren, den Endpunkt aktivieren, dann die fehlgeschlagenen Übermittlungen erneut übermitteln.",
  },
  period: "Zeitraum",
  periods: { "1h": "1 h", "24h": "24 h", "7d": "7 Tage", "30d": "30 Tage" },
  requestsPlot: "Anfragen",
  requestSeries: "Anfragen gesamt",
  failedSeries: "fehlgeschlagen",
  latencyPlot: "Dauer der Anfragen",
  openPoint: (label: string) => `Übermittlungen von Ereignissen: ${label}`,
  pointsOpen:
    "Ein Punkt öffnet die Übermittlungen der Ereignisse in seinem Zeitraum. Diagramme zählen Versuche, auch wiederholte, nach ihrer eigenen Zeit.",
  byAnswer: "Anfragen nach Antwort",
  answers: {
    accepted: "2xx angenommen",
    status_3xx: "3xx Weiterleitung, nicht befolgt",
    status_4xx: "4xx abgelehnt",
    status_5xx: "5xx fehlgeschlagen",
    no_answer: "Keine Antwort",
  },
  noStatistics: "Keine Anfragen in diesem Zeitraum.",
  facts: "Endpunkt",
  id: "ID",
  version: "Version des Inhalts",
  createdAt: "Erstellt",
  changedAt: "Geändert",
  replay: {
    open: "Verpasstes erneut übermitteln",
    title: "Erneut übermitteln",
    detail:
      "Sendet beendete Übermittlungen erneut, jede mit ihrer ID und ihrem Body. Ihr Programm sieht dieselbe webhook-id.",
    missed:
      "Für Ereignisse, die bei deaktiviertem Endpunkt eintraten, gibt es keine Übermittlung: Sie lassen sich nicht erneut übermitteln.",
    from: "Ereignisse ab",
    until: "Ereignisse bis",
    fromDetail: "In Ihrer Zeitzone. Leer: alle gespeicherten.",
    untilDetail: "Leer: jetzt.",
    types: "Ereignistypen",
    typesDetail: "Leer: jeder Typ.",
    status: "Letzte Antwort",
    delivered: "Auch angenommene Übermittlungen",
    deliveredDetail: "Ihr Programm empfängt sie ein zweites Mal.",
    count: "Zählen",
    counted: (count: number, more: boolean) =>
      more ? `Mindestens ${plural(count, ofDeliveries)}.` : `${plural(count, ofDeliveries)}.`,
    none: "Keine Übermittlung passt.",
    disabled: "Der Endpunkt ist deaktiviert. Aktivieren Sie ihn vor dem erneuten Übermitteln.",
    begin: (count: number, more: boolean) =>
      more
        ? `${numberText(count)} oder mehr erneut übermitteln`
        : `${plural(count, ofDeliveries)} erneut übermitteln`,
    progress: "Fortschritt der erneuten Übermittlung",
    running: (done: number, total: number) =>
      `${numberText(done)} von ${numberText(total)} in die Warteschlange gestellt`,
    done: (done: number, skipped: number) =>
      `${plural(done, { one: "Übermittlung ist", other: "Übermittlungen sind" })} zum Senden in der Warteschlange.${skipped > 0 ? ` ${plural(skipped, { one: "wurde", other: "wurden" })} übersprungen.` : ""}`,
    notDone: "Der Auftrag endete, bevor alle Übermittlungen in der Warteschlange waren.",
    job: "Auftrag öffnen",
    pending: "Ausstehende Übermittlungen anzeigen",
  },
};
