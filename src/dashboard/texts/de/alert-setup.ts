import type * as en from "../en/alert-setup.ts";
import type { Texts } from "../of-language.ts";

// Texts of the set-up of alert sources.

export const alertSetup: Texts<typeof en.alertSetup> = {
  title: "Quelle einrichten",
  detail:
    "Verbinden Sie Überwachungen und Programme, die Alarme melden: Kopieren Sie die Konfiguration, und warten Sie auf den ersten Alarm.",
  titleOf: (name: string) => `${name} einrichten`,
  names: {
    alertmanager: "Prometheus Alertmanager",
    grafana: "Grafana",
    pagerduty: "Clients für PagerDuty",
    sentry: "Sentry",
    cron: "Cron und Skripte",
  },
  details: {
    alertmanager: "Jeder Alarm von Prometheus wird zu einem Alarm in Hermod, und wird mit ihm behoben.",
    grafana: "Ein Contact Point sendet die Alarme von Grafana, mit Links zu Dashboards und Panels.",
    pagerduty:
      "Programme, die Ereignisse der Events API Version 2 von PagerDuty senden, verwenden stattdessen die Adresse von Hermod.",
    sentry: "Eine interne Integration sendet die Alarme zu Issues und Metriken.",
    cron: "Ein Auftrag oder Programm meldet mit curl den eigenen Fehler, und den nächsten Erfolg.",
  },
  silent: "Ein Auftrag, der gar nicht läuft, meldet nichts. Verwenden Sie dafür",

  key: "1. Schlüssel",
  keyDetail:
    "Geben Sie jeder Quelle einen eigenen Schlüssel, der nur Alarme senden kann. An ihm erkennt Hermod die Quelle. Die Mitglieder eines Alertmanager-Clusters haben denselben Schlüssel.",
  createKey: "Schlüssel dafür erstellen",
  pick: "Schlüssel der Quelle",
  pickDetail:
    "Schlüssel, die Alarme senden können. Hermod zeigt das Geheimnis eines Schlüssels nur bei der Erstellung.",
  noKey: "Erstellen oder auswählen",
  mayNotCreate:
    "Ihre Rolle darf keine Schlüssel erstellen. Bitten Sie einen Administrator um einen, der nur Alarme senden kann.",
  shownOnce:
    "Die Konfiguration unten enthält den Schlüssel. Hermod zeigt ihn nur jetzt: Kopieren Sie ihn, bevor Sie die Seite verlassen.",
  leaveTitle: "Ohne den Schlüssel verlassen?",
  leaveDetail:
    "Hermod zeigt diesen Schlüssel nie wieder. Falls Sie ihn nicht kopiert haben, erstellen Sie später einen anderen, und widerrufen Sie diesen.",

  configuration: "2. Konfiguration",
  placeholder: (word: string) => `${word} steht für den Schlüssel.`,
  steps: {
    alertmanager:
      "Führen Sie den ersten Befehl auf dem Rechner von Alertmanager aus. Fügen Sie seiner Konfiguration die Route und den Receiver hinzu, und laden Sie sie neu. Hat die Konfiguration schon eine Route, so fügen Sie nur den Receiver hinzu, und nennen Sie ihn in Ihren Routen.",
    grafana:
      "Speichern Sie die Datei auf dem Rechner von Grafana und starten Sie Grafana neu, oder geben Sie dieselben Werte als Contact Point vom Typ Webhook ein. Wählen Sie ihn dann in einer Notification Policy. Sein Knopf Test sendet einen Alarm.",
    pagerduty:
      "Geben Sie diese Adresse als URL der Events API ein. Der Schlüssel darin authentifiziert, und jeder Routing Key wird angenommen.",
    sentry:
      "Öffnen Sie in Sentry Settings, Developer Settings, und erstellen Sie eine interne Integration mit dieser Webhook-URL. Schalten Sie Alert Rule Action ein, abonnieren Sie issue, und wählen Sie die Integration als Aktion einer Alarmregel.",
    cron: "Speichern Sie das Skript, setzen Sie Ihren Befehl an die Stelle der Sicherung, und lassen Sie es durch Cron ausführen. Es meldet einen Fehler, und behebt den Alarm, wenn der Befehl wieder gelingt.",
  },
  pieces: {
    keyFile: "Befehl, der den Schlüssel speichert",
    alertmanagerFile: "alertmanager.yml",
    grafanaFile: "/etc/grafana/provisioning/alerting/hermod.yaml",
    url: "Adresse",
    script: "Skript",
    test: "Test ohne die Quelle: auf demselben Rechner ausführen",
  },

  arrivals: "3. Erster Alarm",
  noKeyYet:
    "Erstellen oder wählen Sie zuerst einen Schlüssel. Dann wartet diese Seite auf seinen ersten Alarm.",
  mayNotSee:
    "Ihre Rolle darf die Anfragen von Schlüsseln nicht sehen. Neue Alarme sind in der Liste der Alarme.",
  waiting: "Wartet auf den ersten Alarm…",
  waitingDetail:
    "Lösen Sie an der Quelle einen Alarm aus, oder führen Sie den Test aus. Die Seite zeigt ihn innerhalb weniger Sekunden.",
  arrived: (at: string) => `Alarme mit diesem Schlüssel kommen an. Der letzte kam um ${at}.`,
  refused: (at: string, status: number) =>
    `Hermod hat die letzte Anfrage mit diesem Schlüssel um ${at} mit ${status} abgelehnt.`,
  remedies: {
    400: "Der Inhalt ist nicht der dieser Quelle. Prüfen Sie die Adresse, und lassen Sie eigene Inhalte der Quelle leer.",
    401: "Der Schlüssel ist abgelaufen oder widerrufen. Erstellen Sie einen anderen.",
    403: "Der Schlüssel darf keine Alarme senden, oder nicht von dieser Adresse. Ändern Sie seinen Zugriff, oder erstellen Sie einen anderen.",
    413: "Der Inhalt hat mehr als 8 MB. Senden Sie weniger Alarme auf einmal.",
    422: "Der Inhalt ist nicht der dieser Quelle. Prüfen Sie die Adresse, und lassen Sie eigene Inhalte der Quelle leer.",
    429: "Der Schlüssel hat seine Grenze erreicht. Die Quelle versucht es wieder.",
    503: "Hermod war ausgelastet. Die Quelle versucht es wieder.",
  } as Readonly<Record<number, string>>,
  otherRemedy: "Das Protokoll der Anfragen hat die Trace-Id, mit der der Betreiber den Grund findet.",
  toAlerts: "Alarme öffnen",
  toRequests: "Anfragen mit diesem Schlüssel",
};
