import type { PolicyDocument } from "../store/policy-document.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Default schedule: waits after the first, second... failed attempt. The last one repeats. */
export const WAITS_MS: readonly number[] = [
  1 * MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  1 * HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  16 * HOUR_MS,
  12 * HOUR_MS,
];

/** Random part of a wait, so that messages that failed together are not retried together. */
const JITTER = 0.1;

/** If less time than this is left, no last attempt is made, unless the waits of the schedule are as short. */
const LAST_WAIT_MS = MINUTE_MS;

/**
 * Time of the next attempt; undefined if the message is too old. A wait beyond the maximum age is shortened, so that the last
 * attempt is made at the end of that time and not hours before.
 * @param attempts number of failed attempts, from 1
 * @param waitsMs schedule that replaces the default
 * @param random returns a number from 0 to 1
 */
export function nextAttemptAt(
  attempts: number,
  now: Date,
  expiresAt: Date,
  waitsMs: readonly number[] = WAITS_MS,
  random: () => number = Math.random,
): Date | undefined {
  const waitMs = waitsMs[Math.min(attempts, waitsMs.length) - 1] ?? 0;
  const leftMs = expiresAt.getTime() - now.getTime();
  if (leftMs < Math.min(waitMs, LAST_WAIT_MS)) return undefined;
  return new Date(now.getTime() + Math.min(leftMs, Math.round(waitMs * (1 + JITTER * random()))));
}

/** Default duration of retries, and its limit. */
export interface AgeBounds {
  readonly maxAgeMs: number;
  /** Maximum duration of retries for all policies, because the retention of bodies is limited. */
  readonly longestAgeMs?: number | undefined;
}

/** Expiry of a message that was first due at this time. */
export function expiryOf(due: Date, { maxAgeMs }: Pick<PolicyDocument, "maxAgeMs">, bounds: AgeBounds): Date {
  const ageMs = maxAgeMs ?? bounds.maxAgeMs;
  return new Date(due.getTime() + Math.min(ageMs, bounds.longestAgeMs ?? ageMs));
}

/** Attempts for a message that is due now and that no server accepts. */
export interface AttemptPlan {
  /** The first attempt is now. Each other one may be later by a tenth of its wait. */
  readonly attemptsAt: readonly Date[];
  /** There are more attempts. */
  readonly hasMore: boolean;
  readonly expiresAt: Date;
}

/** @param most maximum number of attempts in the result */
export function planAttempts(
  { maxAgeMs, retryWaitsMs }: Pick<PolicyDocument, "maxAgeMs" | "retryWaitsMs">,
  { now, bounds, most }: { readonly now: Date; readonly bounds: AgeBounds; readonly most: number },
): AttemptPlan {
  const expiresAt = expiryOf(now, maxAgeMs === undefined ? {} : { maxAgeMs }, bounds);
  const attemptsAt = [now];
  for (let at: Date | undefined = now; at; ) {
    at = nextAttemptAt(attemptsAt.length, at, expiresAt, retryWaitsMs, () => 0);
    if (at && attemptsAt.length === most) return { attemptsAt, hasMore: true, expiresAt };
    if (at) attemptsAt.push(at);
  }
  return { attemptsAt, hasMore: false, expiresAt };
}
