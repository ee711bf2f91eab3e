import { type Alert, severities } from "./alert.ts";
import { compileMatchers, type Matchers } from "./condition.ts";

/** Characters for private use, which no source sends. No condition names them, so only negative conditions match them. */
const UNKNOWN = "\u{f8ff}\u{f8fe}\u{f8fd}";
const UNKNOWN_ALERT = { eventType: UNKNOWN, source: UNKNOWN, message: UNKNOWN, context: {} };
const UNKNOWN_ALERTS = [UNKNOWN_ALERT, { ...UNKNOWN_ALERT, entityType: UNKNOWN, entityId: UNKNOWN }] as const;

/** With fewer alerts, the sample is too small. */
const MIN_RECENT = 20;
const BROAD_PART = 0.9;

/** Number of latest alerts that are tested. */
export const RECENT_ALERTS = 50;

/**
 * Whether conditions select nearly all alerts: critical alerts or alerts of two severities regardless of their other
 * fields, or nine of ten recent alerts.
 */
export function selectsNearlyAll(matchers: Matchers, recent: readonly Alert[]): boolean {
  const matches = compileMatchers(matchers);
  const isAnyOf = (unknown: (typeof UNKNOWN_ALERTS)[number]) => {
    const met = severities.filter((severity) => matches({ ...unknown, severity }));
    return met.length > 1 || met.includes("critical");
  };
  if (UNKNOWN_ALERTS.some(isAnyOf)) return true;
  return recent.length >= MIN_RECENT && recent.filter(matches).length >= recent.length * BROAD_PART;
}
