import type * as en from "../en/drafts.ts";
import type { Texts } from "../of-language.ts";

// Texts of settings that are edited as form and JSON.

export const drafts: Texts<typeof en.drafts> = {
  views: { form: "Formular", json: "JSON" },
  view: "Einstellungen anzeigen als",
  discard: "Änderungen verwerfen",
  leaveTitle: "Ohne Speichern verlassen?",
  leave: "Verlassen",
  stale: "Der gespeicherte Stand wurde während Ihrer Bearbeitung geändert",
  staleDetail: (at: string) =>
    `Eine andere Änderung wurde gespeichert (${at}). Vergleichen Sie beide Stände und entscheiden Sie, mit welchem Sie fortfahren.`,
  staleTheirs: "Gespeicherten Stand übernehmen",
  staleMine: "Mit meinem Stand fortfahren",
  staleMineDetail:
    "„Mit meinem Stand fortfahren“ behält Ihre Eingaben. Das Speichern ersetzt dann den gespeicherten Stand.",
  staleSame: "Beide Stände sind gleich.",
  json: "JSON",
  jsonSyntax: (message: string) =>
    `Das ist kein JSON: ${message}. Das Formular zeigt den letzten lesbaren Text.`,
  jsonShape: (pointer: string) =>
    `${pointer || "Der Text"} hat einen Typ, den das Formular nicht anzeigen kann. Das Formular zeigt den letzten Text, den es anzeigen konnte.`,
  jsonFaults: "Fehler",
  line: (line: number) => `Zeile ${line}`,
  unreadable: "Korrigieren Sie zuerst das JSON.",
  stored: "Gespeicherter Stand",
  unsaved: "Ungespeicherter Stand",
};
