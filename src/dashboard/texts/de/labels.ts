import type * as en from "../en/labels.ts";
import type { Texts } from "../of-language.ts";

// Texts of the labels of reports.

export const labels: Texts<typeof en.labels> = {
  title: "Labels von Berichten",
  detail:
    "Name, Farbe und Logo des Herausgebers. Das Label eines Clients hat Vorrang vor dem seines Arbeitsbereichs.",
  titleOf: (name: string) => `Label von ${name}`,
  workspaceDetail:
    "Spätere Berichte verwenden es, wenn ihr Client kein eigenes Label hat. Vorhandene Berichte ändern sich nicht.",
  clientDetail:
    "Spätere Berichte über den Client und seine Domains verwenden es. Vorhandene Berichte ändern sich nicht.",
  empty: "Noch keine Labels",
  emptyDetail:
    "Berichte nennen keinen Herausgeber. Fügen Sie Name, Farbe und Logo Ihres Unternehmens hinzu, für den Arbeitsbereich oder für einen Client.",
  ofWorkspace: "Label des Arbeitsbereichs",
  ofClient: "Label eines Clients",
  for: "Für",
  issuer: "Herausgeber",
  issuerDetail: "Name über dem Titel von Berichten. Leer: Berichte nennen keinen.",
  noName: "Kein Name",
  color: "Farbe",
  colorDetail: "Wie #rrggbb. Leer: die Standardfarbe.",
  pickColor: "Farbe auswählen",
  defaultColor: "Standard",
  logo: "Logo",
  logoDetail: "PNG, bis zu 256 KiB und 1.600 Pixel auf jeder Seite.",
  logoNow: "Das Logo",
  chooseLogo: "Bild auswählen",
  noLogo: "Kein Logo",
  removeLogo: "Logo entfernen",
  size: (width: number, height: number) => `${width} × ${height} Pixel`,
  updated: "Geändert",
  save: "Speichern",
  saveDetail: "Spätere Berichte verwenden es. Vorhandene Berichte ändern sich nicht.",
  saved: "Das Label ist gespeichert.",
  leaveDetail: "Die Änderungen des Labels sind nicht gespeichert.",
  remove: "Label entfernen",
  removeDetail:
    "Spätere Berichte verwenden das Label des Arbeitsbereichs oder keines. Vorhandene Berichte ändern sich nicht.",
  preview: "Beispielbericht",
  adjusted: "Diese Farbe ist als Text auf Weiß nicht lesbar. Überschriften verwenden eine dunklere.",
};
