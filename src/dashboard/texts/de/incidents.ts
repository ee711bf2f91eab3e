import type * as en from "../en/incidents.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of incidents and of alerts.

const words = { one: "Vorfall", other: "Vorfälle" };

export const incidents: Texts<typeof en.incidents> = {
  title: "Vorfälle",
  detail: "Alarme, die eine Regel zusammen meldet, vom ersten bis zum letzten.",
  empty: "Noch keine Vorfälle",
  emptyDetail: "Ein Vorfall beginnt, wenn ein Alarm eintrifft, den eine Alarmregel meldet.",
  emptyFiltered: "Kein Vorfall passt zu diesen Filtern",
  incident: "Vorfall",
  search: "Vorfälle suchen",
  searchHint: "Teil des Titels oder des neuesten Alarms",
  state: "Zustand",
  states: { open: "Offen", acknowledged: "Bestätigt", resolved: "Behoben" } as Readonly<
    Record<string, string>
  >,
  severity: "Schwere",
  severities: { critical: "Kritisch", warning: "Warnung", info: "Info" } as Readonly<Record<string, string>>,
  snoozed: "Zurückgestellt",
  sort: "Reihenfolge",
  sorts: {
    newest: "Neueste zuerst",
    oldest: "Älteste zuerst",
    updated: "Letzte Änderung zuerst",
    severity: "Höchste Schwere zuerst",
  },
  opened: "Begonnen",
  rule: "Regel",
  ruleVersion: (rule: string, version: number) => `${rule}, Version ${version}`,
  assignee: "Zuständig",
  nobody: "niemand",
  firing: "Aktive Alarme",
  firingOf: (firing: string, alerts: string) => `${firing} von ${alerts}`,
  noneFiring: "Kein Alarm ist aktiv.",
  moreFiring: (count: number) =>
    `${plural(count, { one: "weiterer Alarm ist", other: "weitere Alarme sind" })} aktiv.`,
  allAlerts: "Alle zugehörigen Alarme",
  notMailed: "Die letzte Meldung konnte nicht gesendet werden",
  select: "Auswählen",
  selectOne: (title: string) => `Auswählen: ${title}`,
  selected: (count: number) => `${plural(count, words)} ausgewählt`,

  isOpen: "Niemand hat den Vorfall bestätigt.",
  nextNotice: (at: string) => `Niemand hat den Vorfall bestätigt. Die nächste Meldung ist um ${at} fällig.`,
  isAcknowledged: (at: string, by: string) =>
    by ? `${by} hat den Vorfall um ${at} bestätigt.` : `Der Vorfall wurde um ${at} bestätigt.`,
  isSnoozed: (until: string, by: string) =>
    by
      ? `${by} hat den Vorfall bis ${until} zurückgestellt.`
      : `Der Vorfall ist bis ${until} zurückgestellt.`,
  isResolved: (at: string, by: string) =>
    by ? `${by} hat den Vorfall um ${at} behoben.` : `Der Vorfall wurde um ${at} behoben.`,
  isResolvedBecause: (at: string, reason: string) => `Der Vorfall wurde um ${at} behoben: ${reason}.`,
  heldBy: {
    silenced: "Eine Stummschaltung hält die Meldungen zurück.",
    inhibited: "Eine Unterdrückung hält die Meldungen zurück.",
    quiet_hours: "Die Meldungen warten auf das Ende der Ruhezeiten.",
  } as Readonly<Record<string, string>>,
  flapping: "Er endet und beginnt immer wieder.",
  trouble: (reason: string) => `Die letzte Meldung konnte nicht gesendet werden: ${reason}.`,

  actions: {
    acknowledge: "Bestätigen",
    unacknowledge: "Bestätigung zurücknehmen",
    unsnooze: "Zurückstellung beenden",
    resolve: "Beheben",
    reopen: "Wieder öffnen",
  },
  actionDetails: {
    resolve:
      "Empfänger der Meldungen erfahren, dass er vorbei ist. Ein Alarm, der erneut als aktiv gemeldet wird, beginnt einen neuen Vorfall.",
    reopen:
      "Der Vorfall ist wieder offen, mit den Alarmen, die noch aktiv sind. Die Empfänger werden benachrichtigt.",
  },
  failed: "Nichts wurde geändert",
  failedDetail: "Hermod hat die Änderung abgelehnt.",
  assign: "Zuweisen",
  assignDetail: "Das Mitglied, das an dem Vorfall arbeitet. Meldungen bleiben unverändert.",
  snooze: "Zurückstellen",
  snoozeDetail:
    "Bis dahin keine Meldungen, außer der über das Ende. Eine höhere Schwere oder ein neuer kritischer Alarm beendet die Zurückstellung vorher.",
  snoozeFor: "Für",
  snoozeUntil: "Bis zu einer Zeit",
  spans: { "30": "30 Minuten", "60": "1 Stunde", "240": "4 Stunden", "1440": "1 Tag" },
  note: "Notiz",
  noteDetail: "Für Mitglieder des Kontos. Eine Notiz kann nicht geändert werden.",
  addNote: "Notiz hinzufügen",
  meant: (count: number, more: boolean) =>
    more ? `Mehr als ${plural(count, words)} ausgewählt.` : `${plural(count, words)} ausgewählt.`,
  possible: (action: string, count: number) =>
    count === 0
      ? `„${action}“ ist für keinen davon möglich.`
      : `Davon ist „${action}“ jetzt für ${plural(count, words)} möglich. Die anderen werden übersprungen, jeweils mit Grund.`,
  frozen: "Vorfälle, die nach dieser Zählung beginnen, sind nicht enthalten.",
  begin: (action: string, count: number) => `${action}: ${plural(count, words)}`,

  history: "Verlauf",
  kinds: {
    opened: "Begonnen",
    reopened: "Wieder geöffnet",
    risen: "Höhere Schwere",
    held: "Meldungen zurückgehalten",
    notice: "Meldung",
    notice_failed: "Meldung fehlgeschlagen",
    acknowledged: "Bestätigt",
    unacknowledged: "Bestätigung zurückgenommen",
    snoozed: "Zurückgestellt",
    snooze_ended: "Zurückstellung beendet",
    assigned: "Zugewiesen",
    resolved: "Behoben",
  } as Readonly<Record<string, string>>,
  noteOf: (by: string) => `Notiz von ${by}`,
  message: (number: number) => `Nachricht ${number}`,
  since: "Problem seit",
  received: "Erhaltene Alarme",
  receivedOf: (alerts: string, occurrences: string) => `${alerts}, davon ${occurrences} als aktiv`,
  notices: "Meldungen",
  lastNotice: "Letzte Meldung",
  nextNoticeAt: "Nächste Meldung",
  id: "Id",
};

export const alerts: Texts<typeof en.alerts> = {
  title: "Alarme",
  detail: "Was Ihre Programme und Monitore gemeldet haben, und was die Regeln damit getan haben.",
  empty: "Noch keine Alarme",
  emptyDetail: "Senden Sie Alarme mit einem API-Schlüssel. Die API-Referenz zeigt die Anfrage.",
  emptyFiltered: "Kein Alarm passt zu diesen Filtern",
  unmatched: "Alarme ohne Regel",
  alert: "Alarm",
  search: "Alarme suchen",
  searchHint: "Teil der Nachricht, der Quelle, des Ereignistyps oder des Objekts",
  outcome: "Ergebnis",
  outcomes: { routed: "Gemeldet", suppressed: "Zurückgehalten", unmatched: "Keine Regel" } as Readonly<
    Record<string, string>
  >,
  outcomeTexts: {
    routed: "Eine Regel hat den Alarm gemeldet oder wird ihn melden.",
    suppressed: "Regeln passen zu dem Alarm, aber keine hat bei seinem Eintreffen eine Meldung gesendet.",
    unmatched: "Keine Regel passte zu dem Alarm. Er ist gespeichert, niemand wurde benachrichtigt.",
  } as Readonly<Record<string, string>>,
  statuses: { resolved: "behoben", acknowledged: "bestätigt" } as Readonly<Record<string, string>>,
  reasons: {
    grouped: "Die nächste Meldung des Vorfalls enthält den Alarm.",
    deduplicated: "Eine Meldung mit demselben Stand wurde gesendet oder ist fällig.",
    acknowledged: "Der Vorfall war bestätigt.",
    snoozed: "Der Vorfall war zurückgestellt.",
    silenced: "Eine Stummschaltung hielt die Meldung zurück.",
    inhibited: "Eine Unterdrückung hielt die Meldung zurück.",
    quiet_hours: "Die Meldung wartete auf das Ende der Ruhezeiten.",
    rate_ceiling: "Die Grenze für E-Mails war erreicht. Eine Sammelmeldung enthält den Alarm.",
    not_mailed: "Die Regel sendet für diese Änderung keine E-Mail.",
    dropped: "Die Regel verwirft den Alarm.",
    stopped: "Die Regel wurde ausgeschaltet oder entfernt, während der Vorfall offen war.",
    outdated: "Ein späterer Bericht über denselben Alarm war schon eingetroffen.",
  } as Readonly<Record<string, string>>,
  nextAt: (at: string) => `Als Nächstes: ${at}.`,
  incident: (number: number) => `Vorfall ${number}`,
  eventType: "Ereignistyp",
  source: "Quelle",
  entity: "Objekt",
  received: "Eingetroffen",
  since: "Seit",
  reports: "Berichte",
  filters: { source: "Quelle", rule: "Regel", incident_id: "Vorfall" },
  rulesThen: "Regeln zu dieser Zeit",
  noRulesThen: "Das Konto hatte keine Alarmregeln.",
  deciding: "Entscheidende Bedingungen",
  makeRule: "Daraus eine Regel machen",
  traceId: "Trace-Id",
  key: "API-Schlüssel",
  content: "Inhalt",
  plot: {
    title: "Aktive Alarme",
    period: "Zeitspanne",
    periods: { "24h": "24 Stunden", "7d": "7 Tage", "30d": "30 Tage" },
    measuredSince: (at: string) => `Gezählt seit ${at}.`,
    openPoint: (label: string) => `Alarme: ${label}`,
  },
};
