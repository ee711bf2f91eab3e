import type { Outcome } from "./score/outcomes.ts";
import { coverageOf, isMeasured, MIN_COVERAGE } from "./score/score.ts";
import { severityOf } from "./severity.ts";

/**
 * Status of a domain. The first that applies:
 *
 * - `paused`: the owner has paused the monitoring
 * - `pending`: no measurement has succeeded or failed yet
 * - `critical`: a known finding is critical
 * - `error`: more than 30 % of the weight cannot be measured, for 48 h or since the start
 * - `warning`: a finding is a warning
 * - `healthy`: no finding is a warning; untested checks are unknown, and the coverage shows their share
 */
export const domainStatuses = ["pending", "healthy", "warning", "critical", "error", "paused"] as const;
export type DomainStatus = (typeof domainStatuses)[number];

export interface DomainFacts {
  readonly isPaused: boolean;
  readonly outcomes: readonly Outcome[];
}

export function domainStatus({ isPaused, outcomes }: DomainFacts): DomainStatus {
  if (isPaused) return "paused";
  const isUntouched = ({ kind, status }: Outcome) => kind === "unmeasured" && status === "not_tested";
  if (outcomes.every(isUntouched)) return "pending";
  const severities = outcomes.map(severityOf);
  if (severities.includes("critical")) return "critical";
  if (isOutOfSight(outcomes)) return "error";
  return severities.includes("warning") ? "warning" : "healthy";
}

/** Only errors keep a domain from a grade. Checks that were never tested do not. */
function isOutOfSight(outcomes: readonly Outcome[]): boolean {
  const asked = outcomes.filter(({ kind, status }) => kind !== "unmeasured" || status === "error");
  const hasErrors = asked.some((one) => !isMeasured(one));
  return hasErrors && coverageOf(asked) < MIN_COVERAGE;
}
