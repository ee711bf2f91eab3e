/**
 * Retention of data about watched domains: scores, changes, reports, and observations of receivers and Hermod about
 * their mail. A report covers up to a year, and is compared with the previous one.
 */
export const INTEL_RETENTION_MS = 400 * 86_400_000;

/** Maximum number of points in a response with the history of a domain, the latest ones. A longer history is cut at its start. */
export const MAX_HISTORY_POINTS = 400;
