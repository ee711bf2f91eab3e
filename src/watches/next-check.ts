import { spreadOf } from "../intel/blacklists/pace.ts";
import { CONFIRMATION_MS, needsConfirmation, type StandingCheck } from "../intel/standing-check.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Time between two complete checks of a domain. */
const PERIOD_MS = 6 * HOUR_MS;
/** Waits after incomplete checks. Later ones wait for the regular period. */
const RETRIES_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS];

/** Number of consecutive incomplete checks. */
export function failuresAfter(before: number, checks: readonly StandingCheck[]): number {
  return checks.some(({ failing }) => failing) ? before + 1 : 0;
}

/** Time of the next check of a domain. Ids spread domains evenly over the period, and each keeps its offset. */
export function nextCheck(id: string, checks: readonly StandingCheck[], failures: number, now: Date): Date {
  const waits = [
    PERIOD_MS * spreadOf(id),
    RETRIES_MS[failures - 1],
    needsConfirmation(checks) && CONFIRMATION_MS,
  ];
  return new Date(now.getTime() + Math.min(...waits.filter((ms) => typeof ms === "number")));
}
