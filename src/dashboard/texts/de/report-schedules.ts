import type * as en from "../en/report-schedules.ts";
import type { Texts } from "../of-language.ts";

// Texts of the schedules that mail reports.

export const reportSchedules: Texts<typeof en.reportSchedules> = {
  title: "Zeitpläne für Berichte",
  detail: "Jede Woche oder jeden Monat einen Bericht erstellen und an Clients senden.",
  empty: "Noch keine Zeitpläne",
  emptyDetail:
    "Ein Zeitplan erstellt einen Bericht und sendet ihn an die Kontakte eines Clients oder an andere Adressen.",
  create: "Zeitplan hinzufügen",
  createDetail:
    "Der Bericht umfasst die Woche oder den Monat davor. Jeder Empfänger erhält eine Nachricht des Kontos.",
  name: "Name",
  nameDetail: "Damit beginnen die Betreffzeilen.",
  when: "Wann",
  next: "Nächster Bericht",
  last: "Letzter Bericht",
  never: "Noch keiner",
  to: (kind: string, recipients: string) => `${kind}, an ${recipients}`,
  contacts: "die Kontakte des Clients",
  weeklyAt: (day: string, hour: string, zone: string) => `${day}, ${hour}, ${zone}`,
  monthlyAt: (day: number, hour: string, zone: string) => `Tag ${day} des Monats, ${hour}, ${zone}`,
  weekdays: ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"],
  dayOfMonth: (day: number) => `Tag ${day}`,
  paused: "Pausiert",
  running: "In Arbeit",
  statuses: { sent: "Gesendet", failed: "Fehlgeschlagen", cancelled: "Abgebrochen" } as Readonly<
    Record<string, string>
  >,
  report: "Bericht",
  cadence: "Wie oft",
  cadences: { weekly: "Jede Woche", monthly: "Jeden Monat" },
  day: "Tag",
  hour: "Stunde",
  zone: "Zeitzone",
  format: "Anhang",
  formats: { pdf: "PDF", html: "HTML" },
  recipients: "Empfänger",
  recipientsDetail: "Bis zu 20 Adressen. Leer: die Kontakte des Clients.",
  recipientsHint: "Adresse eingeben, dann die Eingabetaste drücken",
  from: "Absender",
  fromDetail: "Ein bestätigter Absender des Kontos, auch mit Namen: Acme <reports@acme.example>.",
  actionsOf: (name: string) => `Mehr: ${name}`,
  run: "Jetzt einen Bericht senden",
  runTitle: (name: string) => `„${name}“ jetzt senden?`,
  runDetail:
    "Hermod erstellt einen Bericht über die letzte volle Woche oder den letzten vollen Monat und sendet ihn an alle Empfänger, zusätzlich zu den fälligen Berichten.",
  change: "Zeitplan ändern",
  pause: "Pausieren",
  resume: "Fortsetzen",
  remove: "Zeitplan entfernen",
  removeTitle: (name: string) => `„${name}“ entfernen?`,
  removeDetail: "Es werden keine Berichte mehr gesendet. Vorhandene Berichte und Nachrichten bleiben.",
};
