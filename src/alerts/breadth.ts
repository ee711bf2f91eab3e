import { type Alert, severities } from "./alert.ts";
import { compileMatchers, type Matchers } from "./condition.ts";

/** Characters that no source writes (private use): no condition names them, so that only conditions on what an alert is not hold. */
const UNKNOWN = "\u{f8ff}\u{f8fe}\u{f8fd}";
const STRANGER = { eventType: UNKNOWN, source: UNKNOWN, message: UNKNOWN, context: {} };
const STRANGERS = [STRANGER, { ...STRANGER, entityType: UNKNOWN, entityId: UNKNOWN }] as const;

/** Fewer alerts of an account say nothing about the others. */
const MIN_RECENT = 20;
const BROAD_PART = 0.9;

/** Latest alerts that are tried. */
export const RECENT_ALERTS = 50;

/**
 * Whether conditions select nearly every alert: critical ones, or those of two severities, whatever else these say, or nine of ten recent
 * ones.
 */
export function selectsNearlyAll(matchers: Matchers, recent: readonly Alert[]): boolean {
  const matches = compileMatchers(matchers);
  const isAnyOf = (stranger: (typeof STRANGERS)[number]) => {
    const met = severities.filter((severity) => matches({ ...stranger, severity }));
    return met.length > 1 || met.includes("critical");
  };
  if (STRANGERS.some(isAnyOf)) return true;
  return recent.length >= MIN_RECENT && recent.filter(matches).length >= recent.length * BROAD_PART;
}
