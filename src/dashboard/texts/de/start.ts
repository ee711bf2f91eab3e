import type * as en from "../en/start.ts";
import type { Texts } from "../of-language.ts";

// Texts of the first steps.

export const start: Texts<typeof en.start> = {
  title: "Start",
  detail: "Zuerst eine Nachricht senden, dann die Voraussetzungen für echte E-Mails einrichten.",
  send: "Nachricht senden",
  from: "Absender",
  fromDetail: "Ein bestätigter Absender des Kontos",
  to: "Empfänger",
  toDetail: "Eine Adresse",
  subject: "Betreff",
  subjectExample: "Hallo von Hermod",
  text: "Text",
  textExample: "Es funktioniert.",
  policy: "Routing-Richtlinie",
  captures: (name: string, isDefault: boolean) =>
    `${name}${isDefault ? " (Standard)" : ""}: in der Sandbox abgefangen, nicht gesendet`,
  sends: (name: string, isDefault: boolean) =>
    `${name}${isDefault ? " (Standard)" : ""}: an den Empfänger gesendet`,
  sendButton: "Senden",
  openMessage: "Nachricht öffnen",
  openSandbox: "Sandbox öffnen",
  program: "Aus dem eigenen Programm senden",
  language: "Sprache",
  languages: {
    curl: "curl",
    node: "Node.js",
    python: "Python",
    go: "Go",
    php: "PHP",
    smtp: "SMTP",
  },
  code: "Programm",
  exportKey: (prefix: string) => `export HERMOD_API_KEY='${prefix}…'`,
  keyDetail: "Den ganzen Schlüssel eintragen: Er wird nur einmal angezeigt, beim Erstellen.",
  toKeys: "Schlüssel",
  toExample: "you@example.org",
  noSender: "hello@example.com",
  host: "Host",
  port: (encryption: string) => `Port (${encryption})`,
  encryption: { starttls: "STARTTLS", implicit: "TLS" } as Readonly<Record<string, string>>,
  noSmtp: "Der Server kennt kein SMTP-Relay. Der Betreiber kann HERMOD_SMTP_URLS setzen.",
  credential: (name: string, prefix: string) =>
    `Benutzername und Passwort: aus einem Schlüssel für SMTP, zum Beispiel „${name}“ (${prefix}…).`,
  noCredential: "Benutzername und Passwort: einen Schlüssel für SMTP erstellen.",
  selfSigned:
    "Das Zertifikat des Relays ist selbst signiert: Programme, die Zertifikate prüfen, so einstellen, dass sie ihm vertrauen.",
  steps: "Erste Schritte",
  done: (done: number, all: number) => `${done} von ${all}`,
  doneAt: "Erledigt",
  names: {
    sent: "Nachricht senden",
    key: "API-Schlüssel verwenden",
    domain: "Domain bestätigen",
    delivered: "An einen Empfänger zustellen",
    webhook: "Ereignis per Webhook empfangen",
    rule: "Alarmregel einrichten",
    watched: "Domain überwachen",
  },
  hints: {
    sent: "Eine Nachricht mit dem Formular auf dieser Seite senden.",
    key: "Einen Schlüssel erstellen, dann aus dem eigenen Programm senden.",
    domain: "Die eigene Domain hinzufügen und ihre DNS-Einträge veröffentlichen.",
    delivered: "Eine Routing-Richtlinie einrichten, die sendet.",
    webhook:
      "Einen Endpunkt hinzufügen: Hermod meldet Ihrem Programm Zustellungen, Unzustellbarkeiten und Klicks.",
    rule: "Hermod sendet Alarme Ihrer Programme per E-Mail an die richtigen Personen: siehe API.",
    watched: "Hermod liest Berichte über Ihre Domain und prüft Blocklisten: siehe API.",
  },
};
