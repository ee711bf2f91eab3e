/** Reasons of reports that were not created. */
export const reportSentences = {
  "report.cancelled": "The job of the report was cancelled.",
  "report.not_created": "The report could not be generated.",
  "report.not_created_because": "The report could not be generated ({code}): {detail}",
} as const;
