import { hash } from "node:crypto";
import { MAX_QUERIES_PER_LOOK } from "./ask-list.ts";
import { SECOND_LOOK_MS, type Standing } from "./listing.ts";
import type { OpenList } from "./open-lists.ts";
import { SELF_TEST_HOLDS_MS, selfTestQueries } from "./self-test.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How often a list's subjects are looked up. */
export interface Pace {
  readonly listId: string;
  readonly subjects: number;
  readonly wantedPeriodMs: number;
  /** Longer than wanted where the budget does not allow that, and the same for all subjects. */
  readonly periodMs: number;
  readonly queriesPerDay: number;
  /** What to tell the operator of a period that is longer than wanted; missing: it is not. */
  readonly stretch?: string;
}

/** Of the budget, for second looks, texts of listings, and what is tried again. */
const RESERVE = 0.1;
/** The part of a small budget that tests of the list leave to its subjects at least. */
const MIN_SHARE = 0.15;
/** An hour's budget may be spent at once; with the rest spread over the day, no 24 hours see more than the budget. */
const BURST_SHARE = 1 / 24;
/** After looks that had no answer, and those before which the list failed its test: it is tested soon again; later ones wait for the period. */
const RETRIES_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS];

export function planPace({ list, queriesPerDay }: OpenList, subjects: number): Pace {
  const testsPerDay = (selfTestQueries(list) * DAY_MS) / SELF_TEST_HOLDS_MS;
  const spread = (queriesPerDay - burstOf(queriesPerDay)) * (1 - RESERVE);
  const looksPerDay = Math.max(spread - testsPerDay, queriesPerDay * MIN_SHARE);
  const periodMs = Math.ceil(Math.max(list.periodMs, (subjects * DAY_MS) / looksPerDay));
  const pace = { listId: list.id, subjects, wantedPeriodMs: list.periodMs, periodMs, queriesPerDay };
  if (periodMs === list.periodMs) return pace;
  const stretch =
    `${list.name} allows ${queriesPerDay} queries a day: ${subjects} subjects are looked up every ` +
    `${hours(periodMs)} h instead of every ${hours(list.periodMs)} h.`;
  return { ...pace, stretch };
}

/**
 * When a subject is looked up next at a list.
 * @param periodMs of the list's pace
 * @param id of the subject, which decides whether it comes a little before the period's end or after it
 */
export function nextLookAt(standing: Standing | undefined, periodMs: number, id: string, now: Date): Date {
  if (!standing) return now;
  const { last, failing, contrary } = standing;
  // A refusal waits for the period: who refuses is not to be asked more often.
  const isRetried = last.state === "error" || last.isUnasked;
  const retryMs = isRetried ? RETRIES_MS[(failing?.looks ?? 1) - 1] : undefined;
  const waitMs = Math.min(retryMs ?? Number.POSITIVE_INFINITY, periodMs) * spreadOf(id);
  const nextMs = last.at.getTime() + waitMs;
  // A listing does not wait for the period; that it has gone does: two rounds have to see it.
  if (last.state !== "listed" || contrary?.state !== "listed") return new Date(nextMs);
  const secondMs = contrary.secondLookFrom.getTime();
  const again = secondMs > last.at.getTime() ? secondMs : last.at.getTime() + SECOND_LOOK_MS;
  return new Date(Math.min(nextMs, again));
}

/** 0.9 to 1.1, the same for the same id. */
export function spreadOf(id: string): number {
  return 0.9 + (0.2 * Number.parseInt(hash("sha256", id).slice(0, 8), 16)) / 0xffff_ffff;
}

/** Queries that a list may be asked. Begins with none, so that a restart does not double the day's budget. */
export interface Allowance {
  readonly queries: number;
  readonly at: Date;
}

/** What may be asked now. */
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

/** Enough for a test of two kinds and a look, however small the budget. */
function burstOf(queriesPerDay: number): number {
  return Math.max(queriesPerDay * BURST_SHARE, 4 + MAX_QUERIES_PER_LOOK);
}

function hours(ms: number): number {
  return Math.round((10 * ms) / HOUR_MS) / 10;
}
