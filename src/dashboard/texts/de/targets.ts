import type * as en from "../en/targets.ts";
import { numberText } from "../number-text.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of alert targets.

export const targets: Texts<typeof en.targets> = {
  title: "Alarmziele",
  detail: "Webhooks und Kanäle in Slack und Microsoft Teams, die Alarmregeln zusätzlich zu E-Mail melden.",
  empty: "Noch keine Alarmziele",
  emptyDetail: "Erstellen Sie eines für einen Kanal Ihres Teams, und nennen Sie es in einer Alarmregel.",
  emptyFiltered: "Kein Alarmziel passt zu diesen Filtern",
  create: "Alarmziel erstellen",
  createDetail: "Hermod sendet ihm Meldungen über Vorfälle. Bis eine Regel es nennt, wird nichts gesendet.",
  createAction: "Erstellen",
  created: "Das Alarmziel wurde erstellt",
  search: "Alarmziele suchen",
  searchHint: "Teil von Name oder Host",
  kind: "Art",
  kindFixed: "Sie kann später nicht geändert werden.",
  kinds: { slack: "Slack", teams: "Microsoft Teams", webhook: "Webhook" } as Readonly<Record<string, string>>,
  kindDetails: {
    slack: "Ein Kanal in Slack, oder in einem Dienst, der die gleichen Nachrichten annimmt, etwa Mattermost.",
    teams: "Ein Kanal oder Chat in Microsoft Teams.",
    webhook: "Ein eigenes Programm. Es empfängt jede Meldung als signiertes JSON.",
  },
  state: "Zustand",
  states: { unused: "Unbenutzt", working: "Funktioniert", failing: "Gestört" } as Readonly<
    Record<string, string>
  >,
  name: "Name",
  nameDetail: "Regeln und der Verlauf von Vorfällen zeigen ihn. 1 bis 100 Zeichen aus a-z 0-9 . _ -",
  description: "Beschreibung",
  descriptionDetail: "Für Menschen, bis zu 200 Zeichen.",
  lastDelivered: "Letzte Zustellung",
  lastFailed: "Letzter Fehler",
  never: "nie",
  usedBy: "Verwendet von",
  ruleCount: (count: number) =>
    count === 0 ? "keiner Regel" : plural(count, { one: "Regel", other: "Regeln" }),
  tabs: { overview: "Überblick", settings: "Einstellungen" },

  unused: "An dieses Alarmziel wurde noch nichts gesendet.",
  unusedDetail: "Senden Sie einen Test: Er zeigt, ob das Alarmziel eine Meldung annimmt.",
  works: (at: string) => `Das Alarmziel hat die letzte Meldung um ${at} angenommen.`,
  failed: (at: string, reason: string) => `Der letzte Versuch ist um ${at} fehlgeschlagen: ${reason}.`,
  failedWith: (at: string, status: number) =>
    `Der letzte Versuch ist um ${at} fehlgeschlagen: Das Alarmziel hat mit ${status} geantwortet.`,
  nextAttempt: (at: string) => `Der nächste Versuch ist um ${at}.`,
  answered: (status: number) => `Das Alarmziel hat mit ${status} geantwortet.`,
  advice: {
    noAnswer:
      "Hermod hat keine Antwort erhalten. Prüfen Sie, ob sein Rechner den Namen und den Port der URL erreicht, und ob das Zertifikat gültig ist.",
    busy: "Das Alarmziel begrenzt seine Anfragen. Hermod wartet so lange, wie es verlangt. Prüfen Sie, ob andere Programme dieselbe URL verwenden.",
    broken:
      "Der Empfänger hat selbst einen Fehler. Seine Antwort und sein Protokoll zeigen den Grund. Hermod versucht es wieder.",
    redirect:
      "Die URL leitet um, und Hermod folgt Umleitungen nicht. Geben Sie unter Einstellungen die endgültige URL ein.",
    slackGone:
      "Der eingehende Webhook oder sein Kanal existiert nicht mehr. Erstellen Sie in Slack einen eingehenden Webhook, und geben Sie seine URL unter Einstellungen ein.",
    slackRefused:
      "Der Dienst nimmt die Nachricht nicht an. Prüfen Sie, ob die URL die eines eingehenden Webhooks ist.",
    teamsGone:
      "Der Workflow existiert nicht mehr, ist ausgeschaltet, oder sein Besitzer ist gegangen. Erstellen Sie in Teams einen Workflow, und geben Sie seine URL unter Einstellungen ein.",
    teamsRefused:
      "Der Workflow nimmt die Nachricht nicht an. Prüfen Sie, ob er bei einer Webhook-Anforderung beginnt und eine Karte veröffentlicht.",
    signature:
      "Der Empfänger lehnt die Anfrage ab. Prüfen Sie, ob er mit dem aktuellen Signaturschlüssel prüft, und ob die Header unter Einstellungen stimmen.",
    address: "Der Empfänger kennt den Pfad oder die Methode nicht. Prüfen Sie die URL unter Einstellungen.",
    gone: "Mit 410 wünscht der Empfänger keine Meldungen mehr. Geben Sie unter Einstellungen eine andere URL ein, oder löschen Sie das Alarmziel.",
    refused: "Der Empfänger lehnt die Meldung ab. Seine Antwort und sein Protokoll zeigen den Grund.",
  },

  deliveries: "Übermittlungen",
  deliveriesDetail: "Meldungen der letzten 30 Tage.",
  noDeliveries: "Noch keine Übermittlungen",
  notice: "Meldung",
  noticeOf: (number: number) => `Meldung ${numberText(number)}`,
  digest: (number: number) => `Sammelmeldung ${numberText(number)}`,
  rule: "Regel",
  attempts: "Versuche",
  nextAt: (at: string) => `nächster ${at}`,

  noRule: "Keine Regel verwendet dieses Alarmziel",
  noRuleDetail: "Es empfängt nichts, bis eine Regel es nennt.",
  makeRule: "Regel damit erstellen",
  byEscalation: "nur bei Eskalation",
  disabledRule: "deaktiviert",

  host: "Host",
  rate: "Grenze",
  perSecond: (count: number) => `${plural(count, { one: "Anfrage", other: "Anfragen" })} pro Sekunde`,
  id: "Id",

  receiver: "Empfänger",
  steps: {
    slack:
      "Öffnen Sie in Slack Apps, Incoming Webhooks. Fügen Sie einem Kanal einen hinzu, und kopieren Sie seine URL. In Mattermost erstellen Sie unter Integrationen einen eingehenden Webhook.",
    teams:
      "Erstellen Sie in Teams einen Workflow mit dem Auslöser „Wenn eine Teams-Webhookanforderung empfangen wird“ und der Aktion „Karte in einem Chat oder Kanal veröffentlichen“. Kopieren Sie seine URL.",
    webhook:
      "Geben Sie die URL Ihres Programms ein. Es antwortet mit 200 bis 299, wenn es eine Meldung angenommen hat.",
  },
  url: "URL",
  urlDetail: "Die URL ist geheim und wird nie wieder angezeigt. Hermod zeigt nur ihren Host.",
  urlStays: (host: string) => `Die URL bei ${host} ist geheim und wird nicht angezeigt. Leer: sie bleibt.`,
  urlHints: {
    slack: "https://hooks.slack.com/services/T000/B000/XXXX",
    teams: "https://prod-00.westeurope.logic.azure.com/workflows/…",
    webhook: "https://ops.example.com/hooks/hermod",
  },
  requests: "Anfragen",
  rateDetail: (most: number, usual: number) => `1 bis ${most}. Weitere Meldungen warten. Leer: ${usual}.`,

  test: "Test senden",
  testTitle: (name: string) => `Test von ${name}`,
  testDetail: {
    slack:
      "Hermod hat ein Beispiel an den Kanal gesendet. Nichts wird gespeichert, und der Zustand ändert sich nicht.",
    teams:
      "Hermod hat ein Beispiel an den Workflow gesendet. Nichts wird gespeichert, und der Zustand ändert sich nicht.",
    webhook:
      'Hermod hat ein Beispiel mit "test": true gesendet. Nichts wird gespeichert, und der Zustand ändert sich nicht.',
  },
  testAgain: "Wieder senden",
  testAccepted: (status: number, span: string) =>
    `Das Alarmziel hat das Beispiel mit ${status} nach ${span} angenommen.`,
  testFailed: (span: string) =>
    `Das Alarmziel hat das Beispiel nicht angenommen. Der Versuch hat ${span} gedauert.`,

  rotated: "Das Alarmziel hat einen neuen Signaturschlüssel",
  save: "Speichern",
  saved: "Die Einstellungen sind gespeichert. Auch ausstehende Meldungen werden mit ihnen gesendet.",
  saveDetail: "Ausstehende Meldungen werden mit den neuen Einstellungen gesendet.",
  leaveDetail: "Die Änderungen an diesem Alarmziel gehen verloren.",
  mayNotChange: "Ihre Rolle darf Alarmziele nicht ändern.",
  more: "Mehr",
  remove: "Löschen",
  removeTitle: (name: string) => `${name} löschen?`,
  removeDetail:
    "Ausstehende Meldungen werden nie an es gesendet. Regeln, die es nennen, verwenden es nicht mehr.",
  removed: (name: string) => `${name} wurde gelöscht`,
};
