import type * as en from "../en/keys.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of keys, SMTP credentials and the requests that they make.

export const keys: Texts<typeof en.keys> = {
  title: "API-Schlüssel",
  detail:
    "API-Schlüssel und SMTP-Zugangsdaten von Programmen, die senden. Ihre Geheimnisse werden einmal angezeigt, beim Erstellen.",
  create: "Schlüssel erstellen",
  created: (name: string) => `Schlüssel „${name}“ wurde erstellt`,
  apiKey: "API-Schlüssel",
  smtpUser: "SMTP-Benutzername",
  smtpPassword: "SMTP-Passwort",
  empty: "Noch keine Schlüssel",
  emptyDetail:
    "Erstellen Sie einen Schlüssel für jedes Programm, das sendet. So lässt sich einer ohne die anderen ersetzen.",
  emptyFiltered: "Kein Schlüssel passt zu diesen Filtern",
  search: "Schlüssel suchen",
  searchHint: "Name, ID oder erste Zeichen",
  name: "Name",
  kind: "Art",
  kinds: {
    account: "API-Schlüssel",
    smtp: "SMTP-Zugangsdaten",
    deliverability: "Deliverability Intel",
  } as Readonly<Record<string, string>>,
  kindDetails: {
    account: "Sendet E-Mails und Alarme über HTTP.",
    smtp: "Benutzername und Passwort für Programme, die über SMTP senden.",
    deliverability: "Liest und ändert die Domains, die Deliverability Intel überwacht.",
  } as Readonly<Record<string, string>>,
  scope: "Berechtigungen",
  modes: {
    full: "Alles",
    send_only: "Nur senden",
    alerts_only: "Nur Alarme",
    restricted: "Ausgewählte Berechtigungen",
  } as Readonly<Record<string, string>>,
  modeDetails: {
    full: "Alle Operationen dieser Art von Schlüssel, für alle E-Mails des Kontos.",
    send_only:
      "Sendet E-Mails und liest die selbst gesendeten Nachrichten. Für die meisten Programme geeignet.",
    alerts_only: "Sendet Monitoring-Alarme an die Alarmregeln, aber keine E-Mails.",
    restricted: "Nur die Operationen, die unten ausgewählt sind.",
  } as Readonly<Record<string, string>>,
  scopes: {
    "email.send": "E-Mails senden",
    "email.read": "Status von E-Mails lesen",
    "email.cancel": "E-Mails stornieren, die noch nicht zugestellt sind",
    "alerts.ingest": "Alarme senden",
    "intel.read": "Ergebnisse von Deliverability Intel lesen",
    "intel.write": "Domains ändern, die Deliverability Intel überwacht",
  } as Readonly<Record<string, string>>,
  chosen: "Erlaubte Operationen",
  senders: "Absender",
  allSenders: "Alle Absender des Kontos",
  sendersDetail:
    "Absenderadressen oder Domains, die der Schlüssel verwenden darf. Leer: alle Absender des Kontos.",
  addresses: "Erlaubte IP-Adressen",
  allAddresses: "Jede Adresse",
  addressesDetail: "Adressen oder CIDR-Bereiche, zum Beispiel 192.0.2.0/24. Leer: jede Adresse.",
  expires: "Läuft ab",
  expiresDetail: "In Ihrer Zeitzone. Leer: nie.",
  state: "Status",
  states: {
    active: "Aktiv",
    unused: "Seit 30 Tagen ungenutzt",
    replaced: "Ersetzt",
    expired: "Abgelaufen",
    revoked: "Widerrufen",
  } as Readonly<Record<string, string>>,
  says: {
    active: "Der Schlüssel ist gültig.",
    unused:
      "Der Schlüssel wurde seit 30 Tagen nicht verwendet. Widerrufen Sie ihn, es sei denn, ein Programm braucht ihn selten.",
    replaced: (until: string) =>
      `Ein anderer Schlüssel hat diesen ersetzt. Dieser funktioniert noch bis ${until}.`,
    expired: "Der Schlüssel ist abgelaufen: Anfragen mit ihm werden abgelehnt.",
    revoked: "Der Schlüssel ist widerrufen: Anfragen mit ihm werden abgelehnt.",
    stillUsed: (by: string, from: string, at: string) =>
      `Ein Programm verwendet ihn noch: zuletzt über ${by} von ${from}, ${at}. Geben Sie diesem Programm den neuen Schlüssel.`,
    notUsedSince: "Seit er ersetzt wurde, hat ihn kein Programm verwendet. Sie können ihn widerrufen.",
  },
  prefix: "Beginnt mit",
  id: "ID",
  madeAt: "Erstellt",
  lastUsed: "Zuletzt verwendet",
  usedBy: (by: string, from: string) => `über ${by} von ${from}`,
  surfaces: { http: "HTTP", smtp: "SMTP", grpc: "gRPC" } as Readonly<Record<string, string>>,
  unknownAddress: "einer unbekannten Adresse",
  never: "nie",
  access: "Zugriff des Schlüssels",
  uses: "Nutzung pro Tag, letzte 30 Tage (UTC)",
  openDay: (day: string) => `Anfragen vom ${day}`,
  noUses: "In den letzten 30 Tagen nicht verwendet.",
  itsMessages: "Nachrichten des Schlüssels",
  itsRequests: "Anfragen des Schlüssels",
  more: "Mehr",
  change: "Zugriff ändern",
  changeTitle: (name: string) => `„${name}“ ändern`,
  changeDetail:
    "Das Geheimnis bleibt, und die Änderung gilt innerhalb von fünf Sekunden. E-Mails, die der Schlüssel vorher eingeliefert hat, werden noch gesendet.",
  save: "Speichern",
  rename: "Umbenennen",
  renameTitle: (name: string) => `„${name}“ umbenennen`,
  rotate: "Ersetzen",
  rotateTitle: (name: string) => `„${name}“ ersetzen`,
  rotateDetail:
    "Erstellt einen Schlüssel mit einem neuen Geheimnis und denselben Berechtigungen. Der aktuelle Schlüssel funktioniert während der Überlappung, damit Programme ohne Unterbrechung wechseln können.",
  overlap: "Weitere Gültigkeit des aktuellen Schlüssels",
  overlaps: {
    "0": "keine: Er läuft sofort ab",
    "3600": "1 Stunde",
    "86400": "24 Stunden",
    "604800": "7 Tage",
    "2592000": "30 Tage",
  } as Readonly<Record<string, string>>,
  revoke: "Widerrufen",
  revokeTitle: (name: string) => `„${name}“ widerrufen`,
  revokeDetail:
    "Programme, die diesen Schlüssel verwenden, werden innerhalb von fünf Sekunden abgewiesen, auch in offenen SMTP-Sitzungen. Das lässt sich nicht rückgängig machen.",
};

export const requests: Texts<typeof en.requests> = {
  title: "Anfrage-Log",
  detail: "Anfragen mit Ihren Schlüsseln und die Antworten von Hermod.",
  status: "Status",
  request: "Anfrage",
  fault: "Fehler",
  key: "Schlüssel",
  message: "Nachricht",
  show: "anzeigen",
  duration: "Dauer",
  address: "IP-Adresse",
  at: "Zeit",
  trace: "Trace-ID",
  searchHint: "Trace-ID: sx_…",
  classes: { "2xx": "2xx angenommen", "4xx": "4xx abgelehnt", "5xx": "5xx fehlgeschlagen" },
  around: "Zeit",
  aroundHint: "Anfragen von fünf Minuten vor und nach dieser Zeit",
  counted: (count: number) => plural(count, { one: "Anfrage", other: "Anfragen" }),
  empty: "Noch keine Anfragen",
  emptyDetail: "Anfragen mit Ihren Schlüsseln erscheinen hier innerhalb von zwei Sekunden.",
  emptyFiltered: "Keine Anfrage passt zu diesen Filtern",
  plot: {
    title: "Anfragen nach Status",
    period: "Zeitraum",
    periods: { "24h": "24 h", "7d": "7 T.", "30d": "30 T.", "1y": "1 J." },
    accepted: "2xx angenommen",
    refused: "4xx abgelehnt",
    limited: "429 über einem Limit",
    failed: "5xx fehlgeschlagen",
    measuredSince: (at: string) => `Gezählt seit: ${at}`,
    openPoint: (label: string) => `Anfragen: ${label}`,
  },
};

export const reference: Texts<typeof en.reference> = {
  title: "API-Referenz",
  detail:
    "Auf Englisch. Anfragen von hier sind echt. Ein eingegebener Schlüssel wird beim Verlassen der Seite vergessen.",
  document: "OpenAPI-Dokument",
  keyHint: (prefix: string) => `Ihr Schlüssel beginnt mit \`${prefix}…\`.`,
  noOperation: "Die Adresse gehört zu keiner Operation dieser Referenz.",
};
