import { type Severity, severityRank } from "./alert.ts";
import type { Firing } from "./incident.ts";

export function isUntoldCritical({ untold, alert }: Firing): boolean {
  return untold === true && alert.severity === "critical";
}

/** Severity that recipients know of an alert, or will know from the pending notice. */
export function knownRank(firing: Firing): number {
  const { told: notified } = notifiedSeverityOf(firing);
  const rank = notified ? severityRank(notified) : -1;
  return firing.untold ? Math.max(rank, severityRank(firing.alert.severity)) : rank;
}

/** Empty if no notice has named the alert. */
export function notifiedSeverityOf({ told: notified, untold, rank, count, alert: { severity } }: Firing): {
  readonly told?: Severity;
} {
  if (notified) return { told: notified };
  if (untold) return {};
  // An earlier version did not notify an alert of a group that turned critical.
  const isDoubtful = rank === undefined && severity === "critical" && count > 1;
  return { told: isDoubtful ? "warning" : severity };
}
