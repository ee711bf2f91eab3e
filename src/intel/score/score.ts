import { type CheckCategory, type CheckId, checkCategories } from "../catalogue.ts";
import type { CheckStatus } from "../check-result.ts";
import { type Cap, capsOf } from "./caps.ts";
import type { Outcome } from "./outcomes.ts";

/** Version of the model. It distinguishes a change of the model from a change of the domain. */
export const SCORE_MODEL = "2";
/** Shares of the score, in percent. */
export const SHARES: Readonly<Record<CheckCategory, number>> = {
  auth: 50,
  transport: 20,
  reputation: 20,
  infra: 10,
};
/** Share of its weight from which on a measured category counts in full. */
const ENOUGH = 0.5;
/** Below this coverage there is no grade. */
export const MIN_COVERAGE = 0.7;
export const grades = [
  ["A", 90],
  ["B", 80],
  ["C", 70],
  ["D", 50],
  ["F", 0],
] as const;
export type Grade = (typeof grades)[number][0];
/** Share of the weight. Blocked and failed checks give none. */
const POINTS: Readonly<Partial<Record<Outcome["kind"], number>>> = { pass: 1, warn: 0.5 };
/** Larger than the rounding errors of sums, and smaller than the distance of two different scores. */
const ROUNDING = 1e-9;

export interface CheckPoints {
  readonly id: CheckId;
  /** Points that the check can give. */
  readonly weight: number;
  /** Points that the check gives; null: not measured. A check in error keeps those of its last result for 48 h. */
  readonly points: number | null;
  readonly status: CheckStatus;
  readonly countsAs: Outcome["kind"];
}

export interface CategoryPoints {
  readonly category: CheckCategory;
  readonly points: number;
  /** Weight of the measured checks of the category. */
  readonly of: number;
  /**
   * Share of the score in percent, before scaling. It is smaller than that of the category if less than half of the
   * weight is measured.
   */
  readonly share: number;
}

/**
 * Score of a domain, with all values to recompute it:
 *
 * 1. A category's `points` and `of` are the sums of `points` and `weight` of its checks with non-null points.
 * 2. The total is the sum of `share` × `points` / `of` over the categories, times 100, divided by the sum of `share`.
 * 3. The score is the total or the lowest limit of `caps`, whichever is less, rounded down.
 * 4. The coverage is the weight of the checks with non-null points that do not count as `over_budget`, divided by the
 *    weight of all checks.
 */
export interface Score {
  readonly scoreModel: string;
  /** 0 to 100; null: no check is measured. */
  readonly score: number | null;
  /** Null: the coverage is below 0.7, and the score is provisional. */
  readonly grade: Grade | null;
  /** 0 to 1. */
  readonly coverage: number;
  /** Caps that apply, the lowest first, even if the total is lower. */
  readonly caps: readonly Cap[];
  /** Categories with a measured check. */
  readonly categories: readonly CategoryPoints[];
  /** Checks that are relevant for the domain's role. */
  readonly checks: readonly CheckPoints[];
}

export function scoreOf(outcomes: readonly Outcome[]): Score {
  const caps = capsOf(outcomes);
  const checks = outcomes.map((outcome) => {
    const { id, weight, status, kind: countsAs } = outcome;
    return { id, weight, points: pointsOf(outcome), status, countsAs };
  });
  const categories = categoriesOf(outcomes);
  const coverage = coverageOf(outcomes);
  const total = cappedTotal(outcomes);
  const score = total === null ? null : Math.floor(total + ROUNDING);
  const isGraded = score !== null && coverage >= MIN_COVERAGE;
  const grade = isGraded ? (grades.find(([, least]) => score >= least)?.[0] ?? null) : null;
  return { scoreModel: SCORE_MODEL, score, grade, coverage, caps, categories, checks };
}

/** The unrounded score with caps; null: no check is measured. */
export function cappedTotal(outcomes: readonly Outcome[]): number | null {
  const total = totalOf(outcomes);
  return total === null ? null : Math.min(total, ...capsOf(outcomes).map(({ limit }) => limit));
}

/** The unrounded score without caps. */
export function totalOf(outcomes: readonly Outcome[]): number | null {
  const categories = categoriesOf(outcomes);
  const shares = categories.reduce((before, { share }) => before + share, 0);
  if (shares === 0) return null;
  const sum = categories.reduce((before, { share, points, of }) => before + share * (points / of), 0);
  return (100 * sum) / shares;
}

/** Measured weight divided by the total weight; 0: there is nothing to measure. */
export function coverageOf(outcomes: readonly Outcome[]): number {
  const all = weightOf(outcomes);
  return all === 0 ? 0 : weightOf(outcomes.filter(isMeasured)) / all;
}

function categoriesOf(outcomes: readonly Outcome[]): CategoryPoints[] {
  return checkCategories
    .map((category) => {
      const all = outcomes.filter((outcome) => outcome.category === category);
      const measured = all.filter(isCounted);
      const points = measured.reduce((sum, outcome) => sum + (pointsOf(outcome) ?? 0), 0);
      const of = weightOf(measured);
      // A single optional check must not represent a category that could not be measured.
      const say = Math.min(1, weightOf(all.filter(isMeasured)) / (weightOf(all) * ENOUGH));
      return { category, points, of, share: SHARES[category] * say };
    })
    .filter(({ of }) => of > 0);
}

function pointsOf(outcome: Outcome): number | null {
  return isCounted(outcome) ? outcome.weight * (POINTS[outcome.kind] ?? 0) : null;
}

function isCounted({ kind }: Outcome): boolean {
  return kind !== "unmeasured";
}

export function isMeasured({ kind }: Outcome): boolean {
  return kind !== "unmeasured" && kind !== "over_budget";
}

function weightOf(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, { weight }) => sum + weight, 0);
}
