/** Results of the checks of mail servers, blacklists and the zone, by code. */
export const hostSentences = {
  "check.not_run": "The check has not run yet, or is disabled.",
  "check.other_failed": "1 more check failed to run.",
  "check.others_failed": "{count} more checks failed to run.",
} as const;
