import type * as en from "../en/watches.ts";
import { numberText } from "../number-text.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of watched domains.

const critical = { one: "kritisch", other: "kritisch" };
const warnings = { one: "Warnung", other: "Warnungen" };
const infos = { one: "Hinweis", other: "Hinweise" };
const domains = { one: "Domain", other: "Domains" };
const sending = { one: "Versanddomain", other: "Versanddomains" };
const points = { one: "Punkt", other: "Punkte" };
const findings = { one: "Befund", other: "Befunde" };

export const watches: Texts<typeof en.watches> = {
  title: "Überwachte Domains",
  detail:
    "Domains Ihrer Clients, regelmäßig geprüft: was zuerst zu beheben ist, und was jede Korrektur bringt.",
  empty: "Noch keine überwachten Domains",
  emptyDetail:
    "Fügen Sie eine Domain eines Clients hinzu, oder importieren Sie viele aus einer CSV-Datei. Die erste Prüfung beginnt sofort.",
  emptyFiltered: "Keine überwachte Domain passt zu diesen Filtern",
  add: "Domain hinzufügen",
  addDetail: "Hermod prüft sie sofort, danach regelmäßig.",
  addAction: "Hinzufügen",
  added: (name: string) => `${name} wird überwacht.`,
  name: "Domain",
  nameDetail: "Die Domain der Absenderadressen oder der Mailserver.",
  search: "Überwachte Domains suchen",
  searchHint: "Anfang eines Namensteils",
  status: "Zustand",
  role: "Rolle",
  roles: {
    sending: "Sendet E-Mails",
    receiving: "Empfängt nur E-Mails",
    parked: "Sendet und empfängt nichts",
  } as Readonly<Record<string, string>>,
  grade: "Note",
  grades: { A: "A", B: "B", C: "C", D: "D", F: "F" } as Readonly<Record<string, string>>,
  sort: "Reihenfolge",
  sorts: {
    name: "Nach Name",
    "-score": "Höchste Wertung zuerst",
    last_check_at: "Am längsten ungeprüft zuerst",
  } as Readonly<Record<string, string>>,
  tag: "Tag",
  findingOf: "Befund",
  client: "Client",
  score: "Wertung",
  deltaOf: (change: number) =>
    change > 0
      ? `${plural(change, points)} mehr als vor sieben Tagen`
      : `${plural(-change, points)} weniger als vor sieben Tagen`,
  findings: "Befunde",
  counts: (counts: { readonly critical: number; readonly warning: number; readonly info: number }) =>
    [
      counts.critical > 0 && plural(counts.critical, critical),
      counts.warning > 0 && plural(counts.warning, warnings),
      counts.info > 0 && plural(counts.info, infos),
    ]
      .filter(Boolean)
      .join(", "),
  noFindings: "keine",
  first: "Zuerst beheben",
  checked: "Letzte Prüfung",
  notChecked: "noch nicht",

  more: "Mehr",
  check: "Jetzt prüfen",
  checking: "Die Domain wird geprüft",
  progress: (done: number, total: number) =>
    `${numberText(done)} von ${numberText(total)} Gruppen von Prüfungen sind fertig.`,
  groups: {
    spf: "SPF",
    dkim: "DKIM",
    dmarc: "DMARC",
    mx: "Mailserver",
    ipv6: "IPv6",
    reverse: "Reverse-DNS",
    ehlo: "EHLO",
    bimi: "BIMI",
    caa: "CAA",
    expiry: "Registrierung",
    dnssec: "DNSSEC",
    transport: "Verschlüsselung",
  } as Readonly<Record<string, string>>,
  checkLong: "Die Prüfung läuft weiter. Die Seite zeigt ihr Ergebnis, sobald sie fertig ist.",
  checkDone: "Die Prüfung ist fertig.",
  tabs: {
    repairs: "Korrekturen",
    checks: "Alle Prüfungen",
    history: "Verlauf",
    settings: "Einstellungen",
  },

  is: (score: number, grade: string | null) =>
    grade === null
      ? `Wertung ${numberText(score)} von 100`
      : `Wertung ${numberText(score)} von 100, Note ${grade}`,
  provisional: "Die Wertung ist vorläufig, weil zu wenig messbar war.",
  isPending: "Die Domain ist noch nicht geprüft",
  isPendingDetail: "Die erste Prüfung beginnt innerhalb von Minuten. Sie dauert etwa eine Minute.",
  isPaused: "Die Prüfungen der Domain sind angehalten",
  isPausedDetail:
    "Wertung und Befunde stammen von der letzten Prüfung. Die Domain sendet keine Benachrichtigungen.",
  isHealthy: "Nichts ist zu beheben.",
  notYet: "Die erste Prüfung listet die Korrekturen auf.",
  toRepair: (count: number) => `${plural(count, findings)} zu beheben, größter Gewinn zuerst.`,
  firstGain: (gain: string) => `Allein die erste Korrektur bringt ${gain} Punkte.`,
  capped: (limit: number) => `Die Wertung beträgt höchstens ${numberText(limit)}, bis dies behoben ist:`,
  incomplete: "Die letzte Prüfung war unvollständig:",
  checkedAt: "Geprüft",
  nextCheck: "nächste Prüfung",

  gains: (gain: string) => `+${gain} Punkte`,
  gainsNothing: "keine Punkte",
  observed: "Gefunden",
  expected: "Erwartet",
  repair: "Korrektur",
  recordName: (type: string) => `Name des ${type}-Eintrags`,
  recordValue: "Wert",
  zoneLine: "Zeile einer Zonendatei",
  after: (gain: number, from: number | null) =>
    from === null
      ? `Nach der Korrektur steigt die Wertung um ${numberText(gain)} Punkte.`
      : `Nach der Korrektur steigt die Wertung um ${numberText(gain)} Punkte, von ${numberText(from)} auf etwa ${numberText(Math.min(100, Math.round(from + gain)))}.`,
  afterNothing: "Die Korrektur beseitigt den Befund. Die Wertung bleibt gleich.",
  since: "Seit",
  source: "Anforderung",
  id: "Id",
  evidence: (count: number) => `Belege: ${plural(count, { one: "Antwort", other: "Antworten" })}`,
  evidenceOf: (name: string, type: string) => `${type} von ${name}`,
  noAnswer: "keine Antwort",
  validated: "mit DNSSEC bestätigt",
  answeredBy: (server: string) => `von ${server}`,
  unconfirmed: "Die letzte Prüfung sah ein anderes Ergebnis. Eine zweite Prüfung bestätigt es.",
  otherDomains: "Domains mit diesem Befund",

  mute: "Stummschalten",
  muteOne: (title: string) => `Stummschalten: ${title}`,
  muteTitle: "Diese Prüfung stummschalten?",
  muteDetail: (title: string) =>
    `„${title}“ ist bis dahin kein Befund dieser Domain und sendet keine Benachrichtigung. Die Wertung bleibt gleich.`,
  muteFor: "Für",
  muteSpans: { "7": "7 Tage", "30": "30 Tage", "90": "90 Tage", "365": "1 Jahr" },
  muteUntil: "Bis zu einer Zeit",
  muteReason: "Grund",
  muteReasonDetail: "Für Mitglieder, bis zu 500 Zeichen.",
  mutedUntil: (until: string) => `Stummgeschaltet bis ${until}`,
  wasMuted: "Die Prüfung ist stummgeschaltet.",

  result: "Ergebnis",
  results: {
    pass: "Bestanden",
    warn: "Warnung",
    fail: "Nicht bestanden",
    error: "Nicht messbar",
    not_tested: "Nichts zu messen",
  } as Readonly<Record<string, string>>,
  noEntry: (list: string) => `${list} hat keinen Eintrag`,
  checkName: "Prüfung",
  points: "Punkte",
  pointsOf: (got: string, most: number) => `${got} von ${numberText(most)}`,
  noPoints: "zählt nicht",
  categories: {
    auth: "Authentifizierung",
    transport: "Verschlüsselung",
    infra: "Server und DNS",
    reputation: "Reputation",
  } as Readonly<Record<string, string>>,
  area: "Bereich",
  findCheck: "Prüfungen suchen",
  findCheckHint: "Teil des Namens oder der Id",
  noChecks: "Keine Prüfung passt zu diesen Filtern",

  noChanges: "Keine Änderungen in dieser Zeit",

  selectors: "DKIM-Selektoren",
  selectorsDetail: "Bis zu 20. Die der eigenen Versanddomains kennt Hermod schon.",
  addresses: "Sendende Adressen",
  addressesDetail: "Öffentliche IP-Adressen, die E-Mails der Domain senden, bis zu 20.",
  tags: "Tags",
  tagsDetail: "Bis zu 20, mit jeweils bis zu 64 Zeichen.",
  notes: "Notizen",
  notesDetail: "Für Mitglieder.",
  noValue: "keine",
  hosted: "Versanddomain",
  isHosted: "Hermod sendet damit",
  reports: "Empfangene Berichte",
  noReports: "Noch ist kein DMARC- oder TLS-Bericht eingetroffen.",
  reportCounts: (dmarc: number, tls: number) =>
    `${plural(dmarc, { one: "DMARC-Bericht", other: "DMARC-Berichte" })} und ${plural(tls, { one: "TLS-Bericht", other: "TLS-Berichte" })} zählen.`,
  refusedReports: (count: number) =>
    `${plural(count, { one: "weiterer wurde", other: "weitere wurden" })} abgelehnt.`,
  upload: "Berichte hochladen",
  uploadDetail:
    "XML oder JSON, wie Empfänger es senden, unverpackt, als gzip oder zip, oder die E-Mail damit. Ein Bericht, den Hermod schon hat, zählt nicht doppelt.",
  uploadAction: "Hochladen",
  reportFile: "Datei mit Berichten",
  reportOutcomes: { counted: "Gezählt", repeated: "Schon vorhanden", refused: "Abgelehnt" } as Readonly<
    Record<string, string>
  >,
  ofReport: (count: number) =>
    plural(count, { one: "Nachricht oder Sitzung", other: "Nachrichten oder Sitzungen" }),
  reportAddress: "Berichtsadresse",
  reportAddressDetail: "Veröffentlichen Sie sie im Tag rua des DMARC-Eintrags.",
  reportedAt: "Letzter Bericht",
  dmarcLink: "DMARC-Quellen",
  reportsLink: "Berichte über die Domain",
  listings: "Blacklists",
  listingsOf: (count: number) => plural(count, { one: "offener Eintrag", other: "offene Einträge" }),
  save: "Speichern",
  saved: "Gespeichert. Die Domain wird geprüft.",
  saveDetail: "Die Domain wird danach sofort geprüft.",
  leaveDetail: "Die Änderungen an dieser Domain gehen verloren.",
  mayNotChange: "Ihre Rolle darf überwachte Domains nicht ändern.",
  pause: "Anhalten",
  paused: "Die Prüfungen der Domain sind angehalten.",
  resume: "Fortsetzen",
  resumed: "Die Domain wird wieder geprüft.",
  remove: "Nicht mehr überwachen",
  removeTitle: (name: string) => `${name} nicht mehr überwachen?`,
  removeDetail:
    "Ihre Prüfungen, ihr Verlauf, ihre Stummschaltungen und ihre DMARC- und TLS-Berichte werden entfernt. Erstellte Berichte bleiben. Um die Daten zu behalten, halten Sie die Domain stattdessen an.",
  removed: (name: string) => `${name} wird nicht mehr überwacht.`,

  offers: "Nicht überwachte Versanddomains",
  offered: (count: number, isMore: boolean) =>
    isMore
      ? `Mehr als ${plural(count, sending)} werden nicht überwacht.`
      : `${plural(count, sending)} ${count === 1 ? "wird" : "werden"} nicht überwacht.`,
  offersDetail: "Hermod prüft sie sofort, danach regelmäßig. Ihre DKIM-Schlüssel kennt Hermod schon.",
  watchThem: "Überwachen",
  watchChosen: (count: number) => `${plural(count, domains)} überwachen`,
  allOffers: "Alle",

  selected: (count: number) => `${plural(count, domains)} ausgewählt`,
  select: "Auswählen",
  selectOne: (name: string) => `${name} auswählen`,
  bulk: {
    pause: "Anhalten",
    resume: "Fortsetzen",
    move: "Zu einem Client verschieben",
    tag: "Tags",
    note: "Notizen",
    mute: "Prüfung stummschalten",
    remove: "Nicht mehr überwachen",
  },
  meant: (count: number) => `${plural(count, domains)} ausgewählt.`,
  frozen: "Domains, die nach dieser Zählung hinzukommen, sind nicht enthalten.",
  begin: (action: string, count: number) => `${action}: ${plural(count, domains)}`,
  moveDetail: "Die Domains behalten ihre Prüfungen, ihren Verlauf und ihre Stummschaltungen.",
  newClient: "Neuer Client",
  continue: "Weiter",
  tagDetail: "Die anderen Tags der Domains bleiben.",
  tagMissing: "Geben Sie mindestens ein Tag ein.",
  noteDetail: "Ersetzt die Notizen jeder Domain. Ein leeres Feld entfernt sie.",
  noNotes: "Die Notizen werden entfernt.",
  muteManyDetail:
    "Eine stummgeschaltete Prüfung ist kein Befund und sendet keine Benachrichtigung. Die Wertung bleibt gleich.",
  removeManyDetail:
    "Ihre Prüfungen, ihr Verlauf, ihre Stummschaltungen und ihre DMARC- und TLS-Berichte werden entfernt. Erstellte Berichte bleiben. Eine Domain, die ein Zeitplan für Berichte verwendet, bleibt auch. Um die Daten zu behalten, halten Sie die Domains stattdessen an.",
};

export const checks: Texts<typeof en.checks> = {
  title: "Prüfungen",
  detail:
    "Jede Prüfung überwachter Domains: ihre Bedeutung, ihre Punkte und die Domains, die nicht bestehen.",
  failing: "Domains, die nicht bestehen",
  informs: "nur zur Information",
  notUsed: "nicht verwendet",
  needs: "Setzt voraus",
  domains: "Domains mit diesem Befund",
};
