import type { hostSentences as english } from "../../../../../contracts/common/sentences/host-sentences.ts";

/** Results of the checks of mail servers, blacklists and the zone, by code. */
export const hostSentences: Readonly<Record<keyof typeof english, string>> = {
  "check.not_run": "Die Prüfung ist noch nicht gelaufen oder ist abgeschaltet.",
  "check.other_failed": "1 weitere Prüfung ist gescheitert.",
  "check.others_failed": "{count} weitere Prüfungen sind gescheitert.",
};
