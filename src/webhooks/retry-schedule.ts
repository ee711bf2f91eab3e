const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits between attempts (Standard Webhooks 1.0). The first attempt is immediate, the tenth is the last. */
const WAITS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;
/** Maximum random extension of a wait, as a share of it, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
/** Maximum delay that a receiver can ask for. */
const MOST_MS = 24 * HOUR_MS;

export interface FailedAttempt {
  /** Number of attempts so far, including this one. */
  readonly attempts: number;
  readonly at: Date;
  /** Earliest time that the receiver allows. */
  readonly notBefore?: Date | undefined;
  /** Random number from 0 to 1. */
  readonly random: number;
}

/** Time of the next attempt; undefined if there is none. */
export function nextAttemptAt({ attempts, at, notBefore, random }: FailedAttempt): Date | undefined {
  const waitMs = WAITS_MS[attempts - 1];
  if (waitMs === undefined) return undefined;
  const askedMs = Math.min((notBefore?.getTime() ?? 0) - at.getTime(), MOST_MS);
  return new Date(at.getTime() + Math.max(waitMs, askedMs) * (1 + JITTER * random));
}
