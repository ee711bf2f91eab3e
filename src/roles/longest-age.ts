import type { Config } from "../config.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long delivery may be tried at most: a body is there for the last attempt, and for the notice after it. */
export function longestAgeMs({ HERMOD_CONTENT_RETENTION_DAYS: days }: Config): number {
  return days * DAY_MS - HOUR_MS;
}
