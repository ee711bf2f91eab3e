/**
 * How long is kept what is known of watched domains: scores, changes, reports, and what receivers and Hermod itself tell of their mail. A
 * report spans a year, and is compared with the one before.
 */
export const INTEL_RETENTION_MS = 400 * 86_400_000;
