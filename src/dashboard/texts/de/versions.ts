import type * as en from "../en/versions.ts";
import type { Texts } from "../of-language.ts";

// Texts of the versions of settings: list, comparison and restoration.

export const versions: Texts<typeof en.versions> = {
  title: "Versionen",
  detail: "Jede Änderung der Einstellungen speichert eine Version. Hermod behält die neuesten 100.",
  version: (number: number) => `Version ${number}`,
  author: "Gespeichert von",
  unknownAuthor: "einer früheren Hermod-Version",
  restoredFrom: (version: number) => `stellt Version ${version} wieder her`,
  change: "Änderung",
  current: "Jetziger Stand",
  at: "Gespeichert",
  before: "Frühere Version",
  after: "Spätere Version",
  compare: "Zwei Versionen vergleichen",
  itsChanges: "Änderungen dieser Version",
  compareCurrent: "Mit dem jetzigen Stand vergleichen",
  secretChanged: "Geändert. Hermod zeigt den Wert nie an.",
  noDifference: "Die Versionen sind gleich.",
  changesBetween: (before: number, after: number) => `Änderungen von Version ${before} zu Version ${after}`,
  restore: "Wiederherstellen",
  restoreTitle: (version: number) => `Version ${version} wiederherstellen`,
  restored: (version: number) => `Version ${version} ist wiederhergestellt.`,
};
