import { type CheckCategory, type CheckId, checkCategories } from "../catalogue.ts";
import type { CheckStatus } from "../check-result.ts";
import { type Cap, capsOf } from "./caps.ts";
import type { Outcome } from "./outcomes.ts";

/** It changes with the model, so that a change of the model does not look like one of the domain. */
export const SCORE_MODEL = "2";
/** Of the score, in percent. */
export const SHARES: Readonly<Record<CheckCategory, number>> = {
  auth: 50,
  transport: 20,
  reputation: 20,
  infra: 10,
};
/** Of a category: with so much of its weight measured it counts in full. */
const ENOUGH = 0.5;
/** With less a grade would say more than is known. */
export const MIN_COVERAGE = 0.7;
export const grades = [
  ["A", 90],
  ["B", 80],
  ["C", 70],
  ["D", 50],
  ["F", 0],
] as const;
export type Grade = (typeof grades)[number][0];
/** Of the weight. What is blocked or fails gives nothing. */
const POINTS: Readonly<Partial<Record<Outcome["kind"], number>>> = { pass: 1, warn: 0.5 };
/** More than sums of fractions err by, and less than two scores that differ are apart. */
const ROUNDING = 1e-9;

export interface CheckPoints {
  readonly id: CheckId;
  /** Points that it can give. */
  readonly weight: number;
  /** Points that it gives; null: it is not measured. A check in error keeps those of its last result for 48 h. */
  readonly points: number | null;
  readonly status: CheckStatus;
  readonly countsAs: Outcome["kind"];
}

export interface CategoryPoints {
  readonly category: CheckCategory;
  readonly points: number;
  /** Weight of its measured checks. */
  readonly of: number;
  /** Of the score, in percent, before the rest is scaled: less than that of the category where less than half of its weight is measured. */
  readonly share: number;
}

/**
 * The score of a domain, and all that a reader needs to compute it:
 *
 * 1. A category's `points` and `of` are the sums of `points` and `weight` of its checks whose points are not null.
 * 2. The total is the sum of `share` × `points` / `of` over the categories, times 100, divided by the sum of `share`.
 * 3. The score is the total or the lowest limit of `caps`, whichever is less, rounded down.
 * 4. The coverage is the weight of the checks whose points are not null and that do not count as `over_budget`, divided by the weight
 *    of all.
 */
export interface Score {
  readonly scoreModel: string;
  /** 0 to 100; null: nothing is measured. */
  readonly score: number | null;
  /** Null: too little is measured (coverage below 0.7), and the score is provisional. */
  readonly grade: Grade | null;
  /** 0 to 1. */
  readonly coverage: number;
  /** Those that apply, the lowest first, also where the total is lower still. */
  readonly caps: readonly Cap[];
  /** Those with something measured. */
  readonly categories: readonly CategoryPoints[];
  /** Those that matter to the domain's role. */
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

/** The score before it is rounded; null: nothing is measured. */
export function cappedTotal(outcomes: readonly Outcome[]): number | null {
  const total = totalOf(outcomes);
  return total === null ? null : Math.min(total, ...capsOf(outcomes).map(({ limit }) => limit));
}

/** The same without caps. */
export function totalOf(outcomes: readonly Outcome[]): number | null {
  const categories = categoriesOf(outcomes);
  const shares = categories.reduce((before, { share }) => before + share, 0);
  if (shares === 0) return null;
  const sum = categories.reduce((before, { share, points, of }) => before + share * (points / of), 0);
  return (100 * sum) / shares;
}

/** Weight of those measured, divided by the weight of all; 0: there is nothing to measure. */
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
      // A single optional check must not stand for all that could not be measured beside it.
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
