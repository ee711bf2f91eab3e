import { spreadOf } from "../intel/blacklists/pace.ts";
import { needsSecondLook, SECOND_LOOK_MS, type StandingCheck } from "../intel/standing-check.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Between two looks at a domain where all is well. */
const PERIOD_MS = 6 * HOUR_MS;
/** After looks that could not see all. Later ones wait for the period. */
const RETRIES_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS];

/** How many looks in sequence could not see all. */
export function failuresAfter(before: number, checks: readonly StandingCheck[]): number {
  return checks.some(({ failing }) => failing) ? before + 1 : 0;
}

/** When a domain is looked at next. Domains are spread over the period by their ids, and stay where they are. */
export function nextLook(id: string, checks: readonly StandingCheck[], failures: number, now: Date): Date {
  const waits = [
    PERIOD_MS * spreadOf(id),
    RETRIES_MS[failures - 1],
    needsSecondLook(checks) && SECOND_LOOK_MS,
  ];
  return new Date(now.getTime() + Math.min(...waits.filter((ms) => typeof ms === "number")));
}
