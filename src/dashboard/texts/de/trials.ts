import type * as en from "../en/trials.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of the tests of an alert rule: on past alerts, and of its mail.

const alerts = { one: "Alarm", other: "Alarmen" };

export const trials: Texts<typeof en.trials> = {
  pastTitle: "Die Regel mit vergangenen Alarmen ausprobieren",
  pastDetail: "Zusammen mit den anderen Regeln des Kontos. Nichts wird gespeichert oder gesendet.",
  period: "Alarme",
  periods: {
    last: "Die letzten 1.000",
    day: "Der letzten 24 Stunden",
    week: "Der letzten 7 Tage",
    month: "Der letzten 30 Tage",
  },
  outcome: "Ergebnis beim Eintreffen",
  anyOutcome: "Alle",
  outcomes: { unmatched: "Keine Regel passte", routed: "Gemeldet", suppressed: "Zurückgehalten" },
  source: "Quelle",
  anySource: "Alle",
  pastAction: "Ausprobieren",
  testing: "Hermod wertet die Alarme aus. Das kann einige Sekunden dauern.",
  pastResult: "Ergebnis für vergangene Alarme",
  noneTested: "Kein Alarm entspricht diesem Filter.",
  matched: (matched: number, tested: number) =>
    `Die Regel passt zu ${matched} von ${plural(tested, alerts)}.`,
  more: (count: number) => `Zu ${count} davon passte sie beim Eintreffen nicht.`,
  fewer: (count: number) =>
    `Zu ${plural(count, alerts)} passte sie beim Eintreffen und passt jetzt nicht mehr.`,
  same: "Beim Eintreffen passte sie zu denselben Alarmen.",
  estimate: ({ incidents, notices, mails, posts, digests }) => {
    const sent = [
      plural(mails, { one: "E-Mail", other: "E-Mails" }),
      ...(posts > 0
        ? [plural(posts, { one: "Anfrage an Alarmziele", other: "Anfragen an Alarmziele" })]
        : []),
    ].join(" und ");
    const collected =
      digests > 0 ? `, darunter ${plural(digests, { one: "Sammelmeldung", other: "Sammelmeldungen" })}` : "";
    return `Sie hätte ${plural(incidents, { one: "Vorfall", other: "Vorfälle" })} eröffnet und ${plural(notices, { one: "Meldung", other: "Meldungen" })} gesendet: ${sent}${collected}. Stummschaltungen, Unterdrückungen und Bestätigungen sind nicht berücksichtigt.`;
  },
  takenBy: (rule: string, count: number) =>
    count === 1
      ? `Einen Alarm, der ihre Bedingungen erfüllt, übernimmt „${rule}“.`
      : `${count} Alarme, die ihre Bedingungen erfüllen, übernimmt „${rule}“.`,
  moreAlerts: "Es gibt mehr solche Alarme. Ausgewertet wurden die letzten.",
  moreNotices: "Es gibt mehr Meldungen, als ein Versuch zählt: die Zahlen sind Untergrenzen.",
  outdated: "Die Regel wurde nach diesem Versuch geändert.",
  alertsTitle: "Alarme",
  alertsDetail: "Treffer und Unterschiede",
  change: "Änderung",
  changes: {
    unchanged: "Wie vorher",
    newly_matched: "Jetzt gemeldet",
    no_longer_matched: "Nicht mehr gemeldet",
    moved: "Andere Regeln",
  } as Readonly<Record<string, string>>,
  before: "Regeln beim Eintreffen",
  after: "Regeln jetzt",
  noRule: "keine",
  noticesTitle: "Meldungen, die sie gesendet hätte",
  noticesDetail: "Die früheste zuerst",
  notice: "Meldung",
  reason: "Anlass",
  reasons: {
    first: "Erste Meldung",
    new: "Neue Alarme",
    severity: "Höherer Schweregrad",
    repeat: "Wiederholung",
    escalation: "Eskalation",
    snooze_ended: "Ende des Aufschubs",
    reopened: "Wieder geöffnet",
    resolved: "Gelöst",
    digest: "Sammelmeldung",
  } as Readonly<Record<string, string>>,
  receivers: "An",
  firstNotices: (count: number) => `Das sind die ersten ${count}.`,
  othersTitle: "Andere Regeln, die das ändert",
  othersDetail: "Zahl der Alarme, zu denen sie passen",
  matchedBefore: "Beim Eintreffen",
  matchedNow: "Jetzt",

  mailTitle: "Die E-Mail der Regel",
  mailDetail: "Über den Alarm oben. Nichts wird gespeichert oder gesendet.",
  mailAction: "E-Mail zeigen",
  mailTo: (recipients: string) => `Die erste Meldung geht an ${recipients}.`,
  mailFrame: "E-Mail der Regel",
  kind: "Meldung",
  kinds: { first: "Erste Meldung", resolved: "Gelöst", digest: "Sammelmeldung" },
  noResolvedMail: "Die Regel sendet keine E-Mail, wenn ein Vorfall gelöst ist.",
  templateFaults: "Die Vorlage kann nicht ausgefüllt werden:",
  sendAction: "An mich senden",
  sendDetail: "Als Nachricht des Kontos mit [test] im Betreff. Es wird kein Vorfall eröffnet.",
};
