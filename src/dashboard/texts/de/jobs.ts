import type * as en from "../en/jobs.ts";
import { numberText } from "../number-text.ts";
import type { Texts } from "../of-language.ts";
import { plural } from "../plural.ts";

// Bulk actions on messages are jobs.
const words = { one: "Nachricht", other: "Nachrichten" };

export const jobs: Texts<typeof en.jobs> = {
  title: "Aufträge",
  detail: "Arbeiten im Hintergrund. Nach ihrem Ende 30 Tage lang aufbewahrt.",
  kind: "Auftrag",
  state: "Zustand",
  progress: "Fortschritt",
  startedBy: "Gestartet von",
  created: "Gestartet",
  empty: "Noch keine Aufträge",
  emptyDetail:
    "Sammelaktionen für Nachrichten, erneute Übermittlungen von Webhooks und andere lange Arbeiten erscheinen hier.",
  emptyFiltered: "Kein Auftrag passt zu diesen Filtern",
  kinds: {
    "client.remove": "Löschung eines Clients",
    "incident.bulk": "Vorfälle",
    "message.bulk": "Nachrichten",
    "report.generate": "Bericht",
    "suppression.remove": "Entfernen von der Sperrliste",
    "watched_domain.bulk": "Überwachte Domains",
    "watched_domain.import": "Import überwachter Domains",
    "webhook.replay": "Erneute Übermittlung von Webhooks",
  },
  states: {
    queued: "Wartet",
    running: "Läuft",
    succeeded: "Erfolgreich",
    failed: "Fehlgeschlagen",
    cancelled: "Abgebrochen",
  } as Readonly<Record<string, string>>,
  outcomes: { done: "Erledigt", skipped: "Übersprungen", failed: "Fehlgeschlagen" } as Readonly<
    Record<string, string>
  >,
  about: "Betrifft",
  item: "Element",
  outcome: "Ergebnis",
  reason: "Grund",
  results: "Ergebnisse",
  noResults: "Noch keine Ergebnisse",
  of: (done: number, total: number) => `${numberText(done)} von ${numberText(total)}`,
  uncounted: (done: number) => `${numberText(done)}, Gesamtzahl noch nicht ermittelt`,
  cancel: "Auftrag abbrechen",
  cancelDetail: "Erledigte Elemente bleiben erledigt. Der Auftrag endet nach seinem aktuellen Schritt.",
  cancelling: "Der Auftrag endet nach seinem aktuellen Schritt.",
  background:
    "Die Seite kann verlassen werden. Der Auftrag läuft weiter und bleibt in der Liste der Aufträge.",
  actions: {
    retry: "Jetzt versuchen",
    cancel: "Stornieren",
    resend: "Erneut senden",
    acknowledge: "Bestätigen",
    resolve: "Beheben",
    pause: "Anhalten",
    resume: "Fortsetzen",
    move: "Zu einem Client verschieben",
    mute: "Stummschalten",
    unmute: "Stummschaltung aufheben",
    tag: "Tags hinzufügen",
    untag: "Tags entfernen",
    note: "Notizen ersetzen",
    remove: "Nicht mehr überwachen",
  } as Readonly<Record<string, string>>,
  confirm: {
    meant: (count: number, more: boolean) =>
      more ? `Mehr als ${plural(count, words)} ausgewählt.` : `${plural(count, words)} ausgewählt.`,
    all: (action: string) => `„${action}“ ist jetzt für alle möglich.`,
    possible: (action: string, count: number) =>
      `Davon ist „${action}“ jetzt für ${plural(count, words)} möglich. Die anderen werden übersprungen, jeweils mit Grund.`,
    none: (action: string) => `„${action}“ ist für keine davon möglich.`,
    such: "Zum Beispiel",
    frozen: "Nachrichten, die nach dieser Zählung angenommen werden, sind nicht enthalten.",
    begin: (action: string, count: number) => `${action}: ${plural(count, words)}`,
  },
};
