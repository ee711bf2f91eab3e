import type { Outcome } from "./score/outcomes.ts";
import { coverageOf, isMeasured, MIN_COVERAGE } from "./score/score.ts";
import { severityOf } from "./severity.ts";

/**
 * How a domain stands, the first that holds:
 *
 * - `paused`: its owner wants it to be left alone
 * - `pending`: nothing was measured yet, and nothing has failed to be
 * - `critical`, as long as it is known: a finding is critical
 * - `error`: more than 30 % of what counts cannot be measured, since 48 h or ever
 * - `warning`: a finding is a warning
 * - `healthy`: none is; what was not tested is unknown, and the coverage says how much that is
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

/** Errors alone keep the domain from a grade: what was never tested is not to blame. */
function isOutOfSight(outcomes: readonly Outcome[]): boolean {
  const asked = outcomes.filter(({ kind, status }) => kind !== "unmeasured" || status === "error");
  const hasErrors = asked.some((one) => !isMeasured(one));
  return hasErrors && coverageOf(asked) < MIN_COVERAGE;
}
