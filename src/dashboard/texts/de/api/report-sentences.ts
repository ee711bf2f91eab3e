import type { reportSentences as english } from "../../../../../contracts/common/sentences/report-sentences.ts";

/** Reasons of reports that were not created, by code. */
export const reportSentences: Readonly<Record<keyof typeof english, string>> = {
  "report.cancelled": "Der Auftrag des Berichts wurde abgebrochen.",
  "report.not_created": "Der Bericht konnte nicht erstellt werden.",
  "report.not_created_because": "Der Bericht konnte nicht erstellt werden ({code}): {detail}",
};
