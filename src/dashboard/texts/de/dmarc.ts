import type * as en from "../en/dmarc.ts";
import { numberText } from "../number-text.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of the sources of DMARC reports, and of blacklists.

const messages = { one: "Nachricht", other: "Nachrichten" };
const sources = { one: "Quelle", other: "Quellen" };

export const dmarc: Texts<typeof en.dmarc> = {
  title: "DMARC-Quellen",
  detail:
    "Server, die im Namen Ihrer Domains E-Mails gesendet haben, nach den Berichten der Empfänger. Berichte treffen einmal am Tag ein, über Tage in UTC.",
  span: "Tage",
  spans: { "7": "7 Tage", "14": "14 Tage", "30": "30 Tage", "90": "90 Tage" },
  day: "Tag",
  result: "DMARC",
  results: { fail: "Quellen mit Fehlern", pass: "Quellen ohne Fehler" },
  kind: "Quelle",
  kinds: { true: "Bekannter Dienst", false: "Unbekannt" },
  source: "Quelle",
  messages: "Nachrichten",
  failed: "DMARC nicht bestanden",
  failedOf: (count: string, share: string) => `${count} (${share})`,
  dkim: "DKIM passend",
  spf: "SPF passend",
  domains: "Domains",
  moreDomains: (count: number) => `und ${numberText(count)} weitere`,
  addresses: "Adressen",
  byDay: "Nachrichten nach Tagen",
  openDay: (day: string) => `Quellen am ${day}`,
  showDays: (source: string) => `${source}: nach Tagen`,
  ofDay: (count: number, failed: number) =>
    `${plural(count, messages)}, ${numberText(failed)} nicht bestanden`,
  of: (count: number, total: number) => `${numberText(count)} von ${plural(total, messages)}`,
  dispositions: {
    none: "Angenommen",
    quarantine: "In Quarantäne",
    reject: "Abgelehnt",
    other: "Anders behandelt",
  },
  allPass: (total: number) =>
    total === 1 ? "Die Nachricht besteht DMARC." : `Alle ${numberText(total)} Nachrichten bestehen DMARC.`,
  someFail: (failed: number, total: number) =>
    `${numberText(failed)} von ${plural(total, messages)} ${failed === 1 ? "besteht" : "bestehen"} DMARC nicht.`,
  sources: (count: number) => `${plural(count, { one: "Quelle hat", other: "Quellen haben" })} gesendet.`,
  failingSources: (count: number) =>
    `${plural(count, sources)} mit Nachrichten, die DMARC nicht bestehen, die meisten zuerst. Die Summen umfassen alle Quellen.`,
  overridden: (count: number) =>
    `Empfänger haben ${plural(count, messages)} anders als die Richtlinie behandelt.`,
  onlyFailing: "Nur Quellen mit Fehlern",
  noneFails: "Alle Quellen bestehen DMARC",
  noneListed: "Keine Quelle passt zu diesen Filtern",
  empty: "Keine DMARC-Berichte an diesen Tagen",
  emptyDetail:
    "Veröffentlichen Sie die Berichtsadresse jeder Domain im Tag rua ihres DMARC-Eintrags. Empfänger berichten dann einmal am Tag. Vorhandene Berichte lassen sich bei ihrer Domain hochladen.",
  emptyFiltered: "Kein Bericht passt zu diesen Filtern",
};

export const blacklists: Texts<typeof en.blacklists> = {
  title: "Blacklists",
  detail: "Einträge Ihrer Adressen und Domains auf Blacklists, nach der jeweils letzten Prüfung.",
  tabs: { now: "Jetzt", past: "Verlauf", lists: "Listen" },
  subject: "Adresse oder Domain",
  list: "Liste",
  state: "Zustand",
  states: {
    listed: "Gelistet",
    clean: "Nicht gelistet",
    refused: "Abfrage verweigert",
    error: "Abfrage fehlgeschlagen",
    unreliable: "Unzuverlässige Liste",
    pending: "Noch nicht geprüft",
    not_configured: "Nicht verwendet",
  } as Readonly<Record<string, string>>,
  reason: "Grund",
  since: "Gelistet seit",
  checked: "Geprüft",
  next: "Nächste Prüfung",
  delist: "Entfernung beantragen",
  delistAt: (list: string) => `Entfernung bei ${list} beantragen`,
  count: (count: number) => plural(count, { one: "Eintrag", other: "Einträge" }),
  noneListed: (clean: number) =>
    `Kein Eintrag auf einer Blacklist. ${plural(clean, { one: "Prüfung", other: "Prüfungen" })} ohne Fund.`,
  someListed: (count: number) =>
    `${plural(count, { one: "Eintrag", other: "Einträge" })} auf Blacklists. Finden Sie die Ursache, bevor Sie die Entfernung beantragen: Sonst folgt ein neuer Eintrag.`,
  unknown: (count: number) =>
    `${plural(count, { one: "Zustand ist", other: "Zustände sind" })} unbekannt: Die Liste hat die Abfrage verweigert, antwortet nicht oder ist unzuverlässig.`,
  allStates: "Alle Zustände",
  nothing: "Kein Eintrag bekannt",
  nothingDetail: "Keine verwendete Liste hat einen Eintrag dieser Adressen und Domains.",
  empty: "Noch wird keine Adresse oder Domain geprüft",
  emptyDetail: "Hermod prüft die überwachten Domains und ihre sendenden Adressen.",
  emptyFiltered: "Kein Eintrag passt zu diesen Filtern",
  change: "Änderung",
  changes: { "blacklist.listed": "Gelistet", "blacklist.delisted": "Entfernt" } as Readonly<
    Record<string, string>
  >,
  domain: "Domain",
  at: "Zeit",
  noChanges: "Noch hat kein Eintrag begonnen oder geendet",
  noChangesDetail: "Beginn und Ende jedes Eintrags werden hier 400 Tage lang aufbewahrt.",
  health: {
    title: "Zustand der Listen",
    detail:
      "Hermod testet jede Liste mit den Einträgen, die jede Liste hat. Die Antworten einer Liste, die nicht besteht, zählen nicht.",
    states: {
      on: "In Gebrauch",
      untested: "Test steht aus",
      failing: "Nicht bestanden",
      off: "Zweimal nicht bestanden",
      not_configured: "Nicht verwendet",
    } as Readonly<Record<string, string>>,
    failures: {
      lists_everything: "Sie listet alles.",
      rewritten: "Ein Resolver verändert ihre Antworten.",
      lists_nothing: "Sie listet nichts.",
      wrong_code: "Sie antwortet mit einem falschen Code.",
      refused: "Sie verweigert Abfragen dieser Installation.",
      error: "Sie antwortet nicht.",
    } as Readonly<Record<string, string>>,
    tested: "Getestet",
    weight: "Punkte",
    budget: "Abfragen heute",
    budgetOf: (today: number, most: number) => `${numberText(today)} von ${numberText(most)}`,
    interval: "Geprüft alle",
    tooSmall: "Das Kontingent reicht nicht für alle Adressen und Domains.",
    notConfigured: "Der Betreiber hat sie nicht eingeschaltet.",
    terms: "Bedingungen",
    termsOf: (list: string) => `Bedingungen von ${list}`,
  },
};
