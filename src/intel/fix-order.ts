import type { CheckId } from "./catalogue.ts";
import type { Outcome } from "./score/outcomes.ts";
import { cappedTotal, totalOf } from "./score/score.ts";
import { type Severity, severityOf } from "./severity.ts";

/** A finding and the value of its repair. */
export interface FixWorth {
  readonly id: CheckId;
  readonly severity: Severity;
  /** Gain of the unrounded score; 0 if a cap caused by another finding stays in force. */
  readonly gain: number;
  /** Checks that need this one and are expected to pass with it. */
  readonly opens: readonly CheckId[];
}

const BY_SEVERITY: readonly Severity[] = ["critical", "warning", "info"];

/**
 * Orders findings by the value of their repair: by gain, then by severity, then by the gain without caps. Several
 * findings may cause the same cap, and then none gains anything by itself.
 */
export function fixOrder(outcomes: readonly Outcome[], most = 3): FixWorth[] {
  const worths = outcomes.flatMap((outcome) => {
    const severity = severityOf(outcome);
    return severity ? [worthOf(outcome, severity, outcomes)] : [];
  });
  return worths
    .sort(
      (one, other) =>
        other.gain - one.gain ||
        BY_SEVERITY.indexOf(one.severity) - BY_SEVERITY.indexOf(other.severity) ||
        other.uncappedGain - one.uncappedGain,
    )
    .slice(0, most)
    .map(({ uncappedGain: _, ...worth }) => worth);
}

function worthOf({ id }: Outcome, severity: Severity, outcomes: readonly Outcome[]) {
  const opens = blockedBy(id, outcomes);
  const repaired = outcomes.map((one) =>
    one.id === id || opens.includes(one.id) ? ({ ...one, kind: "pass" } as const) : one,
  );
  // A repair never lowers the score, but rounding of the fraction may produce a tiny negative difference.
  const difference = (score: typeof totalOf) =>
    Math.max(0, tenths((score(repaired) ?? 0) - (score(outcomes) ?? 0)));
  return { id, severity, gain: difference(cappedTotal), uncappedGain: difference(totalOf), opens };
}

/**
 * Blocked checks that need this check, directly or through others. The catalogue lists a check before the checks that
 * need it.
 */
function blockedBy(id: CheckId, outcomes: readonly Outcome[]): CheckId[] {
  const found: CheckId[] = [];
  for (const { id: dependent, needs, kind } of outcomes) {
    if (kind === "blocked" && needs && (needs === id || found.includes(needs))) found.push(dependent);
  }
  return found;
}

function tenths(points: number): number {
  return Math.round(points * 10) / 10;
}
