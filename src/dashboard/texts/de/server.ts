import type * as en from "../en/server.ts";
import type { Texts } from "../of-language.ts";
import { auditActions, targetKinds } from "./server-audit.ts";
import { checkMeanings, checkTitles, scoreCaps } from "./server-checks.ts";
import { checkSummaries, findings } from "./server-findings.ts";

// German texts for texts that the API has in English.

export const server: Texts<typeof en.server> = {
  permissions: {
    "email.send": "E-Mails senden",
    "email.read": "E-Mails und ihren Zustellstatus sehen, mit einem Schlüssel",
    "email.cancel": "E-Mails stornieren, mit einem Schlüssel",
    "alerts.ingest": "Alarme einliefern",
    "messages.read": "Nachrichten und ihren Zustellstatus sehen",
    "senders.read": "Absender sehen",
    "senders.write": "Absender hinzufügen, bestätigen und entfernen",
    "templates.read": "Vorlagen sehen",
    "templates.write": "Vorlagen veröffentlichen",
    "webhooks.read": "Webhook-Endpunkte und ihre Übermittlungen sehen",
    "webhooks.write": "Webhook-Endpunkte ändern",
    "alerts.read": "Alarme, Alarmregeln, Stummschaltungen, Bereitschaftspläne und Vorfälle sehen",
    "alerts.write": "Alarmregeln, Stummschaltungen und Bereitschaftspläne ändern",
    "incidents.write": "Vorfälle bestätigen, zurückstellen, zuweisen und beheben",
    "suppressions.read": "Die Sperrliste sehen",
    "suppressions.write": "Die Sperrliste ändern",
    "recipients.erase": "Alle Daten über einen Empfänger löschen",
    "messages.read_bodies": "Inhalte, Header und Anhänge von Nachrichten lesen",
    "messages.write": "Nachrichten stornieren und erneut senden",
    "domains.read": "Versanddomains und ihre DNS-Einträge sehen",
    "domains.write": "Versanddomains hinzufügen, bestätigen und entfernen",
    "policies.read": "Routing-Richtlinien sehen",
    "policies.write": "Routing-Richtlinien ändern",
    "sandbox.read": "Abgefangene E-Mails lesen",
    "sandbox.write": "Abgefangene E-Mails entfernen",
    "keys.read": "API-Schlüssel und SMTP-Zugangsdaten sehen, ohne ihre Geheimnisse",
    "keys.write": "API-Schlüssel und SMTP-Zugangsdaten erstellen, ändern und widerrufen",
    "requests.read": "Die Anfragen mit Schlüsseln sehen",
    "jobs.read": "Aufträge des Kontos und ihre Ergebnisse sehen",
    "jobs.write": "Aufträge abbrechen",
    "members.read": "Die Mitglieder des Kontos sehen",
    "members.write": "Mitglieder einladen, ihre Rollen ändern und sie entfernen",
    "account.read": "Das Konto sehen",
    "account.write": "Das Konto umbenennen und Einstellungen für alle Mitglieder ändern",
    "account.delete": "Das Konto löschen",
    "account.export": "Alle Daten des Kontos exportieren",
    "intel.read":
      "Arbeitsbereiche, Clients, überwachte Domains, ihren Blacklist-Status, Berichte und deren Zeitpläne sehen",
    "intel.write":
      "Arbeitsbereiche, Clients, überwachte Domains, Zeitpläne und Label von Berichten ändern und Berichte erstellen, teilen und entfernen",
    "audit.read": "Das Audit-Log durchsuchen und exportieren",
  },
  builtIns: {
    welcome: {
      title: "Willkommen",
      description: "Begrüßt einen neuen Benutzer und führt zu den ersten Schritten.",
    },
    reset: {
      title: "Passwort zurücksetzen",
      description: "Sendet den Link, mit dem ein Benutzer ein neues Passwort festlegt.",
    },
    receipt: {
      title: "Beleg",
      description: "Bestätigt eine Zahlung, mit Posten und Summen.",
    },
    invitation: {
      title: "Einladung",
      description: "Lädt eine Person in ein Team ein.",
    },
    digest: {
      title: "Zusammenfassung",
      description: "Fasst einen Tag oder eine Woche zusammen: Zahlen und Ereignisse.",
    },
    alert: {
      title: "Alarm",
      description: "Meldet einen Vorfall. Alarmregeln ohne Vorlage verwenden sie.",
    },
  },
  eventTypes: {
    "message.accepted": "Eine Nachricht wurde zur sofortigen Zustellung angenommen.",
    "message.scheduled": "Eine Nachricht wurde zur späteren Zustellung angenommen.",
    "message.delivered": "Ein Server hat die Nachricht angenommen.",
    "message.deferred": "Ein Zustellversuch wurde verzögert.",
    "message.bounced": "Die Nachricht wurde dauerhaft abgelehnt.",
    "message.complained": "Der Empfänger hat die Nachricht als Spam gemeldet.",
    "message.suppressed": "Der Empfänger steht auf der Sperrliste.",
    "message.failed": "Die Nachricht konnte nicht gesendet werden.",
    "message.expired": "Die Nachricht wurde nicht in der Zeit zugestellt, die ihre Richtlinie zulässt.",
    "message.cancelled": "Die Nachricht wurde storniert.",
    "message.opened": "Das Tracking-Bild der Nachricht wurde abgerufen.",
    "message.clicked": "Ein Link in der Nachricht wurde geöffnet.",
    "message.unsubscribed":
      "Der Empfänger hat sich von E-Mails der Routing-Richtlinie der Nachricht abgemeldet.",
    "suppression.created": "Ein Eintrag wurde zur Sperrliste hinzugefügt.",
    "suppression.deleted": "Ein Eintrag wurde von der Sperrliste entfernt.",
    "domain.status_changed": "Der Status einer Versanddomain hat sich geändert.",
    "watched_domain.status_changed": "Der Status einer überwachten Domain hat sich geändert.",
    "finding.opened":
      "Eine Prüfung einer überwachten Domain schlägt fehl oder warnt. Eine zweite Prüfung hat das bestätigt.",
    "finding.resolved": "Eine Prüfung, die fehlgeschlagen war oder gewarnt hat, tut das nicht mehr.",
    "blacklist.listed":
      "Eine Blacklist führt eine überwachte Domain oder eine Adresse, von der die Domain sendet. Eine zweite Prüfung hat das bestätigt.",
    "blacklist.delisted":
      "Eine Blacklist führt die Domain oder Adresse nicht mehr. Eine zweite Prüfung hat das bestätigt.",
    "report.generated": "Ein Bericht über überwachte Domains wurde erstellt.",
    "alert.received": "Ein Alarm ist eingegangen.",
    "incident.opened":
      "Eine Alarmregel hat einen Vorfall eröffnet, oder ein Mitglied hat ihn wieder geöffnet.",
    "incident.acknowledged": "Der Vorfall wurde bestätigt.",
    "incident.escalated":
      "Der Vorfall wurde nicht rechtzeitig bestätigt, und die nächsten Empfänger wurden benachrichtigt.",
    "incident.resolved": "Der Vorfall wurde behoben.",
    "webhook.failing":
      "Ein anderer Endpunkt des Kontos hat seit fünf Minuten keine Übermittlung angenommen. Bis er sich erholt, folgt kein weiteres Ereignis.",
    "webhook.recovered":
      "Ein anderer Endpunkt des Kontos hat nach `webhook.failing` wieder eine Übermittlung angenommen.",
    "webhook.exhausted":
      "Alle Versuche einer Übermittlung an einen anderen Endpunkt des Kontos sind fehlgeschlagen. Übermittlungen von Ereignissen über Endpunkte sind ausgenommen.",
    "webhook.disabled": "Hermod hat einen anderen Endpunkt des Kontos deaktiviert.",
    "webhook.test": "Für den Endpunkt wurde ein Testereignis angefordert.",
  },
  findings,
  checkSummaries,
  targetKinds,
  auditActions,
  checkTitles,
  checkMeanings,
  scoreCaps,
};
