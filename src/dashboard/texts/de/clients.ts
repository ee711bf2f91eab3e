import type * as en from "../en/clients.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Texts of clients, of the repairs that gain most, and of mailing a report.

const domains = { one: "Domain", other: "Domains" };
const repairs_ = { one: "Reparatur", other: "Reparaturen" };
const critical = { one: "Domain kritisch", other: "Domains kritisch" };
const warning = { one: "Domain mit Warnung", other: "Domains mit Warnung" };
const recipients = { one: "Empfänger", other: "Empfänger" };

export const clients: Texts<typeof en.clients> = {
  title: "Kunden",
  detail:
    "Inhaber überwachter Domains, jeder mit der mittleren Wertung seiner Domains und den schlimmsten Befunden.",
  all: "Alle Kunden",
  empty: "Noch keine Kunden",
  emptyDetail:
    "Erstellen Sie einen Kunden, oder importieren Sie viele mit ihren Domains aus einer CSV-Datei.",
  emptyFiltered: "Kein Kunde passt zu diesen Filtern",
  search: "Kunden suchen",
  searchHint: "Anfang eines Worts des Namens",
  name: "Name",
  worst: "Schlimmster Befund",
  domains: "Domains",
  status: "Zustand",
  statuses: { active: "Aktiv", archived: "Archiviert" },
  tag: "Schlagwort",
  archived: "Archiviert",
  critical: (count) => plural(count, critical),
  warning: (count) => plural(count, warning),
  healthy: "In Ordnung",
  repairFirst: "Zuerst reparieren",
  scoreDetail: "Mittel der Domains, 0 bis 100",
  ofClient: "dieses Kunden",
  domainsOf: "Domains",
  more: "Mehr",
  create: "Kunden erstellen",
  createDetail: "Namen und Referenzen sind im Arbeitsbereich eindeutig. Fügen Sie danach die Domains hinzu.",
  createAction: "Erstellen",
  created: (name) => `Der Kunde ${name} ist erstellt.`,
  change: "Kunden ändern",
  save: "Speichern",
  saved: (name) => `Der Kunde ${name} ist gespeichert.`,
  fields: {
    name: "Name",
    contact_emails: "Kontakte",
    external_ref: "Ihre Referenz",
    tags: "Schlagwörter",
    notes: "Notizen",
    locale: "Sprache der Berichte",
    timezone: "Zeitzone der Berichte",
  },
  contactsDetail: "Empfänger von Berichten: bis zu 20 Adressen.",
  refDetail: "Freiwillig, etwa die Kundennummer in Ihrem CRM.",
  localeDetail: "en, oder en und eine Region wie en-GB.",
  zoneDetail: "Ihre Tage sind die Tage des Berichts.",
  notesDetail: "Für Mitglieder. Berichte enthalten sie nicht.",
  noContacts: "keine",
  reportsIn: "Berichte in",
  since: "Erstellt",
  id: "Id",
  pages: "Seiten mit den Daten",
  label: "Label der Berichte",
  archive: "Archivieren",
  archiveTitle: (name) => `${name} archivieren?`,
  archiveDetail:
    "Ein archivierter Kunde erhält keine weiteren Domains. Seine Domains werden weiter überwacht. Sie können ihn jederzeit wiederherstellen.",
  archiveAnyway: "Trotzdem archivieren",
  archivedNow: (name) => `${name} ist archiviert.`,
  archivedDetail:
    "Dieser Kunde ist archiviert: Er erhält keine weiteren Domains. Seine Domains werden weiter überwacht.",
  restore: "Wiederherstellen",
  restoreTitle: (name) => `${name} wiederherstellen?`,
  restoreDetail: "Der Kunde ist wieder aktiv und kann Domains erhalten.",
  restored: (name) => `${name} ist wieder aktiv.`,
  remove: "Kunden löschen",
  removeTitle: (name) => `${name} löschen?`,
  removeDetail: (count) =>
    count === 0
      ? "Der Kunde wird mit seinem Wertungsverlauf gelöscht. Seine Berichte bleiben, bis sie ablaufen."
      : `Der Kunde wird sofort archiviert. Ein Auftrag löscht dann ${plural(count, domains)} mit Befunden, Verläufen, Änderungen und DMARC-Daten und danach den Kunden. Seine Berichte bleiben, bis sie ablaufen. Das lässt sich nicht rückgängig machen.`,
  removed: (name) => `${name} wird gelöscht.`,
};

export const repairs: Texts<typeof en.repairs> = {
  title: "Zuerst reparieren",
  detail:
    "Sortiert nach den Punkten, die eine Reparatur den Wertungen aller Domains bringt. Öffnen Sie eine, um ihre Domains zu sehen.",
  finding: "Reparatur",
  severity: "Schwere",
  domains: "Domains",
  gain: "Gewinn",
  gainOf: (points) => `+${points} Punkte`,
  noGain: "allein keine Punkte",
  showAll: (count) => `Alle ${plural(count, repairs_)} zeigen`,
  repaired: "Keine Domain braucht diese Reparatur noch.",
  nothing: "Nichts zu reparieren",
  nothingDetail: (count) => `Die Prüfungen von ${plural(count, domains)} haben keine Befunde.`,
  noDomains: "Noch keine überwachten Domains",
  noDomainsDetail:
    "Importieren Sie Domains aus einer CSV-Datei. Die Reparaturen erscheinen nach der ersten Prüfung.",
  notMeasured: "Noch nichts gemessen",
  notMeasuredDetail:
    "Die Reparaturen erscheinen nach der ersten Prüfung einer Domain. Eine angehaltene Domain wird nicht geprüft.",
  history: "Wertung im Verlauf",
  step: "Zeitraum",
  steps: { day: "30 Tage", week: "26 Wochen", month: "12 Monate" },
  openChanges: (step) => `Änderungen: ${step}`,
  noHistory: "In diesem Zeitraum gibt es noch keine Wertung.",
  modelChanged: (day) =>
    `Das Modell der Wertung änderte sich: ${day}. Wertungen davor und danach lassen sich nicht vergleichen.`,
};

export const mailReport: Texts<typeof en.mailReport> = {
  title: "Bericht mailen",
  detail:
    "Hermod erstellt einen Bericht über diesen Kunden und mailt ihn als PDF, jedem Empfänger in einer eigenen Nachricht.",
  action: "Jetzt mailen",
  periods: { weekly: "Letzte Woche", monthly: "Letzter Monat" },
  recipientsDetail: "Bis zu 20 Adressen. Die Kontakte des Kunden sind eingetragen.",
  repeats: {
    weekly: "Ab jetzt jeden Montag mailen",
    monthly: "Ab jetzt am ersten Tag jedes Monats mailen",
  },
  repeatDetail: "Sonst bleibt der Zeitplan angehalten. Die Seite „Zeitpläne für Berichte“ führt ihn auf.",
  nameOf: (client) => `Bericht: ${client}`,
  waiting: "Der Bericht wird erstellt und gemailt. Wenn Sie dieses Fenster schließen, geht es weiter.",
  sent: (count) => `Der Bericht ist an ${plural(count, recipients)} gemailt.`,
  failed: "Der Bericht konnte nicht gemailt werden.",
  continues:
    "Der Bericht ist noch nicht gemailt. Hermod arbeitet weiter, und der Zeitplan zeigt das Ergebnis.",
};
