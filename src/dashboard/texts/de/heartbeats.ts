import type * as en from "../en/heartbeats.ts";
import type { Texts } from "../of-language.ts";

// Texts of heartbeats.

export const heartbeats: Texts<typeof en.heartbeats> = {
  title: "Heartbeats",
  detail:
    "Ein Alarm, wenn sich ein Cronjob, eine Sicherung oder ein anderer Auftrag nicht rechtzeitig meldet.",
  empty: "Noch keine Heartbeats",
  emptyDetail:
    "Erstellen Sie einen für einen Auftrag, und fügen Sie dem Auftrag den Befehl hinzu. Der erste Ping startet ihn.",
  emptyFiltered: "Kein Heartbeat passt zu diesen Filtern",
  create: "Heartbeat erstellen",
  createDetail:
    "Ein Auftrag, der sich regelmäßig melden soll. Vor seinem ersten Ping wird kein Alarm ausgelöst.",
  createAction: "Erstellen",
  search: "Heartbeats suchen",
  searchHint: "Teil des Namens",
  name: "Name",
  nameDetail: "Der Auftrag, der sich meldet. Der Alarm nennt ihn.",
  state: "Zustand",
  states: {
    new: "Wartet",
    up: "Pünktlich",
    late: "Verspätet",
    down: "Ausgeblieben",
    paused: "Pausiert",
  } as Readonly<Record<string, string>>,
  failed: "Fehlgeschlagen",
  tag: "Tag",
  expected: "Erwartet",
  every: (span: string) => `alle ${span}`,
  inZone: (cron: string, zone: string) => `${cron} (${zone})`,
  lastPing: "Letzter Ping",
  noPing: "keiner",
  deadline: "Alarm um",
  noDeadline: "keine Frist",

  isNew: "Wartet auf den ersten Ping…",
  isNewDetail:
    "Vorher wird kein Alarm ausgelöst. Fügen Sie dem Auftrag den Befehl hinzu, oder führen Sie ihn einmal aus.",
  isUp: (last: string) => `Der letzte Erfolgs-Ping kam um ${last}.`,
  nextDue: (due: string, alert: string) =>
    `Der nächste wird um ${due} erwartet. Ohne ihn wird um ${alert} ein Alarm ausgelöst.`,
  isLate: (due: string, alert: string) =>
    `Seit ${due} wird ein Ping erwartet. Ohne ihn wird um ${alert} ein Alarm ausgelöst.`,
  isMissed: (since: string) =>
    `Bis ${since} kam kein Ping. Der Alarm ist bis zum nächsten Erfolgs-Ping aktiv.`,
  isFailed: (since: string) =>
    `Der Auftrag hat um ${since} einen Fehler gemeldet. Der Alarm ist bis zum nächsten Erfolgs-Ping aktiv.`,
  isPaused: "Der Heartbeat ist pausiert. Es werden keine Pings erwartet und keine Alarme ausgelöst.",
  isRunning: (since: string) => `Der Auftrag läuft seit ${since}.`,
  isExcused: (until: string) =>
    `Hermod konnte bis ${until} keine Pings empfangen. Das Ende dieses Ausfalls zählt als Erfolgs-Ping.`,

  tabs: { overview: "Überblick", setup: "Einrichtung", settings: "Einstellungen" },
  history: "Pings",
  historyDetail: "Die neuesten 200 der letzten 30 Tage.",
  noHistory: "Noch keine Pings",
  result: "Ergebnis",
  kinds: { success: "Erfolg", start: "Begonnen", fail: "Fehler" } as Readonly<Record<string, string>>,
  withStatus: (kind: string, status: number) => `${kind}, Exit-Status ${status}`,
  duration: "Dauer",
  noDuration: "Dauer unbekannt",
  from: "Von",
  byKey: (address: string) => `${address}, mit einem API-Schlüssel`,
  unknownAddress: "unbekannt",

  grace: "Karenzzeit",
  lastSuccess: "Letzter Erfolg",
  lastDuration: "Letzte Dauer",
  severity: "Schwere",
  alertFields: "Ereignistyp und Quelle",
  ofAlert: (type: string, source: string) => `${type}, ${source}`,
  entity: "Objekt",
  token: "Token",
  tokenOf: (prefix: string, at: string) => `${prefix}…, erstellt ${at}`,
  id: "Id",
  alertsLink: "Zugehörige Alarme",

  notified: "Benachrichtigung",
  notifiedBy: "Diese Regeln melden den Alarm:",
  notNotified: "Keine Alarmregel meldet den Alarm",
  notNotifiedDetail:
    "Er wird gespeichert, und niemand wird benachrichtigt. Erstellen Sie eine Regel, die zu ihm passt.",
  droppedBy: (rule: string) => `Die Regel ${rule} verwirft den Alarm. Niemand wird benachrichtigt.`,
  muted: {
    silenced: "Eine Stummschaltung hält die Meldung jetzt zurück.",
    inhibited: "Eine Unterdrückung hält die Meldung jetzt zurück.",
  } as Readonly<Record<string, string>>,
  makeRule: "Regel erstellen",

  setupDetail:
    "HEARTBEAT_URL steht für die URL der Pings. Sie ist geheim. Hermod hat sie gezeigt, als das Token erstellt wurde. Falls sie verloren ist, ersetzen Sie das Token.",
  commands: "Befehle",
  commandsDetail: "Fügen Sie dem Auftrag einen davon hinzu.",
  url: "URL der Pings",
  crontab: "Zeile einer Crontab, mit einem Ping nach Erfolg",
  afterJob: "Befehl mit einem Ping nach Erfolg",
  startAndEnd: "Mit Beginn, Dauer und Exit-Status",
  withKey: "Mit einem API-Schlüssel statt der URL",
  keyDetail:
    "Der Schlüssel braucht das Recht, Alarme zu melden. Der Befehl enthält kein Geheimnis des Heartbeats.",

  times: "Zeiten",
  timesDetail: "Wann ein Erfolgs-Ping erwartet wird, und wie lange Hermod wartet.",
  schedule: "Erwartet",
  schedules: { period: "In regelmäßigen Abständen", cron: "Nach einem Cron-Ausdruck" },
  period: "Zeit zwischen zwei Pings",
  periodDetail: "30 Sekunden bis 366 Tage, ab dem letzten Erfolgs-Ping.",
  cron: "Cron-Ausdruck",
  cronDetail:
    "Minute, Stunde, Tag des Monats, Monat und Wochentag, wie in einer Crontab. Auch @hourly, @daily, @weekly oder @monthly.",
  timezone: "Zeitzone",
  timezoneDetail: "Die Zone des Rechners, auf dem der Auftrag läuft.",
  graceDetail:
    "Länger als der Auftrag läuft, denn der Ping kommt an seinem Ende. Bis zu 30 Tage. Leer: 5 Minuten.",
  unit: (label: string) => `${label}: Einheit`,
  units: { 1: "Sekunden", 60: "Minuten", 3600: "Stunden", 86400: "Tage" } as Readonly<Record<string, string>>,
  alert: "Alarm",
  alertDetail: "Felder, nach denen Alarmregeln auswählen. Ohne Ping hat der Alarm diese Felder.",
  tags: "Tags",
  tagsDetail: "Bis zu 20, mit jeweils bis zu 64 Zeichen.",
  eventType: "Ereignistyp",
  source: "Quelle",
  fieldDetail: "Leer: heartbeat.",
  entityType: "Objekttyp",
  entityTypeDetail: "Nur mit einem Objekt.",
  entityDetail: "Leer: der Name des Heartbeats.",

  created: "Der Heartbeat wurde erstellt",
  rotated: "Das Token wurde ersetzt",
  save: "Speichern",
  saved: "Gespeichert",
  saveDetail: "Mit anderen Zeiten beginnt jetzt eine neue Periode.",
  leaveDetail: "Die Änderungen an diesem Heartbeat gehen verloren.",
  mayNotChange: "Ihre Rolle darf Heartbeats nicht ändern.",
  more: "Mehr",
  pause: "Pausieren",
  pauseTitle: (name: string) => `${name} pausieren?`,
  pauseDetail: "Bis Sie ihn fortsetzen, werden keine Pings erwartet. Ein aktiver Alarm wird behoben.",
  resume: "Fortsetzen",
  rotate: "Token ersetzen",
  rotateTitle: (name: string) => `Token von ${name} ersetzen?`,
  rotateDetail:
    "Die jetzige URL funktioniert sofort nicht mehr. Aufträge, die sie verwenden, brauchen die neue.",
  remove: "Löschen",
  removeTitle: (name: string) => `${name} löschen?`,
  removeDetail:
    "Auch seine Pings werden gelöscht. Ein aktiver Alarm wird behoben. Aufträge, die noch Pings senden, erhalten die Antwort 404.",
};
