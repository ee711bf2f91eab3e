/**
 * How long is kept what is known of watched domains: scores, changes, reports, and what receivers and Hermod itself tell of their mail. A
 * report spans a year, and is compared with the one before.
 */
export const INTEL_RETENTION_MS = 400 * 86_400_000;

/** Points that one answer has of the history of a domain, the latest. A history with as many is cut at its beginning. */
export const MAX_HISTORY_POINTS = 400;
