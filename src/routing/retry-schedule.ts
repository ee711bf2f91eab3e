import type { PolicyDocument } from "../store/policy-document.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Hermod's own schedule: waits after the first, second... failed attempt; the last one repeats. */
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

/** Part of a wait that is left to chance, so that what failed together is not tried again together. */
const JITTER = 0.1;

/** With less time left no last attempt is made, unless the schedule's waits are as short. */
const LAST_WAIT_MS = MINUTE_MS;

/**
 * When the next attempt follows; undefined: the message is too old. A wait that goes beyond its maximum age is
 * shortened, so that the last attempt is made when its time is over, and not hours before.
 * @param attempts how many attempts have failed, from 1
 * @param waitsMs a schedule in place of Hermod's own
 * @param random 0 to 1
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

/** How long deliveries are tried, where a policy does not say it. */
export interface AgeBounds {
  readonly maxAgeMs: number;
  /** Delivery is tried no longer, whatever a policy says: bodies are not kept for ever. */
  readonly longestAgeMs?: number | undefined;
}

/** When a message is given up that was due first at this time. */
export function expiryOf(due: Date, { maxAgeMs }: Pick<PolicyDocument, "maxAgeMs">, bounds: AgeBounds): Date {
  const ageMs = maxAgeMs ?? bounds.maxAgeMs;
  return new Date(due.getTime() + Math.min(ageMs, bounds.longestAgeMs ?? ageMs));
}

/** The attempts at a message that nobody takes and that is due now. */
export interface AttemptPlan {
  /** The first one is now. Each but the first may come later by a tenth of its wait. */
  readonly attemptsAt: readonly Date[];
  /** There are more than these. */
  readonly hasMore: boolean;
  readonly expiresAt: Date;
}

/** @param most attempts that are told */
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
