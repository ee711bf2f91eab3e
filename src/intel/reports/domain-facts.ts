import { type DomainStatus, domainStatus } from "../domain-status.ts";
import { type FixWorth, fixOrder } from "../fix-order.ts";
import { type Outcome, outcomesOf } from "../score/outcomes.ts";
import { type Score, scoreOf } from "../score/score.ts";
import type { FindingInterval, ReportDomain, ReportInputs } from "./report-inputs.ts";
import { rounded } from "./rounded.ts";

/** A domain, and facts derived from its results. */
export interface DomainFacts {
  readonly domain: ReportDomain;
  readonly outcomes: readonly Outcome[];
  readonly score: Score;
  readonly status: DomainStatus;
  /** Its findings, the most valuable fix first. */
  readonly worths: readonly FixWorth[];
  /** Open finding intervals, by check. */
  readonly intervals: ReadonlyMap<string, FindingInterval>;
  /** Points gained since the beginning of the period; null: there was no score of this model then. */
  readonly delta: number | null;
}

/** By score, the lowest first. Domains without a score come last. */
export function domainFacts({ domains, period }: Pick<ReportInputs, "domains" | "period">): DomainFacts[] {
  return domains.map((domain) => factsOf(domain, period.from)).sort(byScore);
}

/** Whether the owner has muted the check at this time. */
export function isMuted({ intervals }: DomainFacts, checkId: string, now: Date): boolean {
  const until = intervals.get(checkId)?.mutedUntil;
  return until !== undefined && until > now;
}

/** Open findings without muted ones. */
export function countFindings(facts: DomainFacts, now: Date) {
  const counts = { critical: 0, warning: 0, info: 0 };
  for (const { id, severity } of facts.worths) if (!isMuted(facts, id, now)) counts[severity]++;
  return counts;
}

function factsOf(domain: ReportDomain, from: Date): DomainFacts {
  const outcomes = outcomesOf(domain);
  const score = scoreOf(outcomes);
  const open = domain.findings.filter(({ resolvedAt }) => resolvedAt === undefined);
  return {
    domain,
    outcomes,
    score,
    status: domainStatus({ isPaused: domain.isPaused, outcomes }),
    worths: fixOrder(outcomes, Number.POSITIVE_INFINITY),
    intervals: new Map(open.map((interval) => [interval.checkId, interval])),
    delta: deltaOf(domain, score, from),
  };
}

/** Compares with the last point before the period. A domain that was added within it has none. */
function deltaOf({ history }: ReportDomain, { score, scoreModel }: Score, from: Date): number | null {
  const points = history.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const first = points.findLast(({ at }) => at <= from);
  if (score === null || !first || first.score === null || first.scoreModel !== scoreModel) return null;
  return rounded(score - first.score, 1);
}

function byScore(one: DomainFacts, other: DomainFacts): number {
  const scoreOfFacts = ({ score: { score } }: DomainFacts) => score ?? 101;
  return scoreOfFacts(one) - scoreOfFacts(other) || (one.domain.name < other.domain.name ? -1 : 1);
}
