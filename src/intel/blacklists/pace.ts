import { hash } from "node:crypto";
import { MAX_QUERIES_PER_CHECK } from "./ask-list.ts";
import { CONFIRMATION_MS, type Standing } from "./listing.ts";
import type { OpenList } from "./open-lists.ts";
import { SELF_TEST_HOLDS_MS, selfTestQueries } from "./self-test.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Check interval of a list's subjects. */
export interface Pace {
  readonly listId: string;
  readonly subjects: number;
  readonly wantedPeriodMs: number;
  /** The interval, the same for all subjects. Longer than the default if the budget requires it. */
  readonly periodMs: number;
  readonly queriesPerDay: number;
  /** Message to the operator if the interval is longer than the default. Missing: it is not. */
  readonly stretch?: string;
}

/** Share of the budget for confirmation checks, texts of listings, and retries. */
const RESERVE = 0.1;
/** Minimum share of a small budget that tests of the list leave to its subjects. */
const MIN_SHARE = 0.15;
/** One hour's budget may be spent at once. The rest is spread over the day, so that no 24 hours exceed the budget. */
const BURST_SHARE = 1 / 24;
/**
 * Delays after a check without an answer, or before which the list failed its test. Later retries wait for the
 * period.
 */
const RETRIES_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS];

export function planPace({ list, queriesPerDay }: OpenList, subjects: number): Pace {
  const testsPerDay = (selfTestQueries(list) * DAY_MS) / SELF_TEST_HOLDS_MS;
  const spread = (queriesPerDay - burstOf(queriesPerDay)) * (1 - RESERVE);
  const checksPerDay = Math.max(spread - testsPerDay, queriesPerDay * MIN_SHARE);
  const periodMs = Math.ceil(Math.max(list.periodMs, (subjects * DAY_MS) / checksPerDay));
  const pace = { listId: list.id, subjects, wantedPeriodMs: list.periodMs, periodMs, queriesPerDay };
  if (periodMs === list.periodMs) return pace;
  const stretch =
    `${list.name} allows ${queriesPerDay} queries a day, so ${subjects} subjects are checked every ` +
    `${hours(periodMs)} h instead of every ${hours(list.periodMs)} h.`;
  return { ...pace, stretch };
}

/**
 * Time of the next check of a subject at a list.
 * @param periodMs of the list's pace
 * @param id of the subject; it spreads the checks slightly before or after the end of the period
 */
export function nextCheckAt(standing: Standing | undefined, periodMs: number, id: string, now: Date): Date {
  if (!standing) return now;
  const { last, failing, contrary } = standing;
  // A refusal waits for the period: a refusing list must not be queried more often.
  const isRetried = last.state === "error" || last.isUnasked;
  const retryMs = isRetried ? RETRIES_MS[(failing?.looks ?? 1) - 1] : undefined;
  const waitMs = Math.min(retryMs ?? Number.POSITIVE_INFINITY, periodMs) * spreadOf(id);
  const nextMs = last.at.getTime() + waitMs;
  // A new listing does not wait for the period. A delisting does: two rounds have to find it.
  if (last.state !== "listed" || contrary?.state !== "listed") return new Date(nextMs);
  const secondMs = contrary.secondLookFrom.getTime();
  const again = secondMs > last.at.getTime() ? secondMs : last.at.getTime() + CONFIRMATION_MS;
  return new Date(Math.min(nextMs, again));
}

/** A factor of 0.9 to 1.1, constant for the same id. */
export function spreadOf(id: string): number {
  return 0.9 + (0.2 * Number.parseInt(hash("sha256", id).slice(0, 8), 16)) / 0xffff_ffff;
}

/** Remaining queries of a list. It begins with none, so that a restart does not double the daily budget. */
export interface Allowance {
  readonly queries: number;
  readonly at: Date;
}

/** The current allowance. */
export function allowanceAt(allowance: Allowance | undefined, queriesPerDay: number, now: Date): Allowance {
  if (!allowance) return { queries: 0, at: now };
  const passedMs = Math.max(0, now.getTime() - allowance.at.getTime());
  const burst = burstOf(queriesPerDay);
  const gained = ((queriesPerDay - burst) * passedMs) / DAY_MS;
  return { queries: Math.min(burst, allowance.queries + gained), at: now };
}

export function spend(allowance: Allowance, queries: number): Allowance {
  return { ...allowance, queries: allowance.queries - queries };
}

/** Enough for a test of two kinds and one check, however small the budget. */
function burstOf(queriesPerDay: number): number {
  return Math.max(queriesPerDay * BURST_SHARE, 4 + MAX_QUERIES_PER_CHECK);
}

function hours(ms: number): number {
  return Math.round((10 * ms) / HOUR_MS) / 10;
}
