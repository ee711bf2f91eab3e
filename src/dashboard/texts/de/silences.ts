import type * as en from "../en/silences.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of silences.

const words = { one: "offenen Vorfall", other: "offene Vorfälle" };
const alertWords = { one: "Alarm", other: "Alarmen" };

export const silences: Texts<typeof en.silences> = {
  title: "Stummschaltungen",
  detail:
    "Eine Stummschaltung hält die Meldungen passender Alarme zurück: eine Zeit lang oder jede Woche. Vorfälle entstehen weiterhin.",
  empty: "Noch keine Stummschaltungen",
  emptyDetail:
    "Zum Beispiel der Sicherungsrechner jeden Sonntag von 2 bis 4 Uhr. Vor dem Speichern sehen Sie, was zurückgehalten wird.",
  emptyFiltered: "Keine Stummschaltung entspricht diesen Filtern",
  create: "Stummschaltung erstellen",
  createDetail: "Alarme, die am Ende der Stummschaltung noch aktiv sind, werden dann gemeldet.",
  ofIncident: "Stummschalten",
  state: "Zustand",
  states: { active: "Wirksam", pending: "Geplant", expired: "Beendet" } as Readonly<Record<string, string>>,
  stateDetails: {
    active: "Meldungen passender Alarme werden zurückgehalten.",
    pending: "Bis dahin werden passende Alarme gemeldet.",
    expired:
      "Eine beendete Stummschaltung kann nicht geändert werden. Sie können eine neue wie diese beginnen.",
  } as Readonly<Record<string, string>>,
  activeUntil: (at: string) => `Wirksam bis ${at}.`,
  activeWithoutEnd: "Wirksam ohne Ende.",
  startsAt: (at: string) => `Beginn: ${at}.`,
  endedAt: (at: string) => `Beendet: ${at}.`,
  fromTo: (start: string, end: string) => `${start} bis ${end}`,
  daily: "Täglich",
  createdBy: "Erstellt von",
  createdByAt: (by: string) => `Erstellt von ${by}:`,
  created: "Erstellt",

  conditions: "Bedingungen",
  conditionsDetail: "Ohne Bedingungen passt die Stummschaltung zu jedem Alarm.",
  times: "Zeit",
  kinds: { once: "Einmal", weekly: "Jede Woche" },
  start: "Beginn",
  startDetail: "Leer: sofort.",
  end: "Ende",
  endDetail: "Höchstens ein Jahr im Voraus.",
  weeklyEndDetail: "Leer: jede Woche, bis Sie sie beenden.",
  lasting: "Dauer",
  spans: { "60": "1 Stunde", "240": "4 Stunden", "1440": "1 Tag", "10080": "1 Woche" },
  inZone: (zone: string) => `Beginn und Ende gelten in der Zeitzone dieses Browsers, ${zone}.`,
  window: (number: number) => `Zeitfenster ${number}`,
  addWindow: "Zeitfenster hinzufügen",
  zone: "Zeitzone der Zeitfenster",
  zoneDetail: "Die Zeitfenster folgen ihrer Ortszeit, auch bei einer Zeitumstellung.",
  comment: "Kommentar",
  reason: "Grund",
  reasonDetail: "Andere Mitglieder sehen ihn in der Liste.",

  preview: "Vorschau",
  previewList: "Offene Vorfälle mit passenden Alarmen",
  counting: "Wird gezählt…",
  incomplete: "Füllen Sie die Bedingungen aus, um zu sehen, was zurückgehalten wird.",
  suppresses: (count: number, isAll: boolean) => {
    if (count === 0 && isAll) return "Hält jetzt keinen offenen Vorfall zurück.";
    return `Hält, solange sie wirksam ist, ${isAll ? "" : "mindestens "}${plural(count, words)} zurück.`;
  },
  suppressesPartly: (count: number) =>
    `${plural(count, { one: "weiterer offener Vorfall hat", other: "weitere offene Vorfälle haben" })} neben passenden auch andere Alarme und ${count === 1 ? "wird" : "werden"} weiter gemeldet.`,
  past: (count: number) => `Sie passt zu ${plural(count, alertWords)} der letzten sieben Tage.`,
  pastSince: (count: number, since: string) => `Sie passt zu ${plural(count, alertWords)} seit ${since}.`,
  pastInWindows: "Nur Alarme in den Zeitfenstern zählen.",
  isBroad:
    "Sie hält fast alle Alarme oder kritische Alarme jeder Art zurück. Hermod fragt vor dem Speichern noch einmal nach.",
  matching: "Passend",
  matchingOf: (matching: number, firing: number) => `${matching} von ${firing}`,
  moreIncidents: (count: number) =>
    `${plural(count, { one: "weiterer Vorfall", other: "weitere Vorfälle" })}.`,
  broadTitle: "Fast alles zurückhalten",
  broadDetail:
    "Die Stummschaltung passt zu kritischen Alarmen oder zu mehreren Schweregraden, gleich welche Felder sie sonst haben, oder zu fast allen letzten Alarmen. Solange sie wirksam ist, wird niemand über sie benachrichtigt.",
  broadAction: "Stummschalten",

  saved: "Die Stummschaltung ist gespeichert.",
  saveDetail:
    "Eine Änderung gilt sofort. Aktive Alarme, die nicht mehr zurückgehalten werden, werden gemeldet.",
  leaveDetail: "Ihre Änderungen an dieser Stummschaltung sind nicht gespeichert.",
  mayNotChange: "Ihre Rolle kann diese Stummschaltung sehen, aber nicht ändern.",
  jsonDetail: "Dieselben Einstellungen wie im Formular, in der Form der API.",
  again: "Als neue Stummschaltung kopieren",
  endNow: "Jetzt beenden",
  ended: "Die Stummschaltung ist beendet.",
  endTitle: "Stummschaltung beenden",
  endDetailNow:
    "Alarme, die sie zurückhält, werden sofort gemeldet, falls sie noch aktiv sind. Eine beendete Stummschaltung kann nicht geändert werden.",
};
