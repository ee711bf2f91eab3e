const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Schedule of the attempts of one delivery. */
interface RetrySchedule {
  /** Waits between attempts. The first attempt is immediate, and the last follows the last wait. */
  readonly waitsMs: readonly number[];
  /** Maximum delay that a receiver can ask for. */
  readonly mostMs: number;
}

/** Standard Webhooks 1.0. */
const ofEvents: RetrySchedule = {
  waitsMs: [
    5 * SECOND_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    14 * HOUR_MS,
    20 * HOUR_MS,
    24 * HOUR_MS,
  ],
  mostMs: 24 * HOUR_MS,
};

/** Notices of alerts: more attempts at the beginning, and none after some hours, because a notice is then outdated. */
const ofNotices: RetrySchedule = {
  waitsMs: [
    5 * SECOND_MS,
    10 * SECOND_MS,
    20 * SECOND_MS,
    40 * SECOND_MS,
    MINUTE_MS,
    2 * MINUTE_MS,
    5 * MINUTE_MS,
    10 * MINUTE_MS,
    30 * MINUTE_MS,
    HOUR_MS,
    2 * HOUR_MS,
  ],
  mostMs: HOUR_MS,
};

/** Maximum random extension of a wait, as a share of it, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;

export interface FailedAttempt {
  /** Number of attempts so far, including this one. */
  readonly attempts: number;
  readonly at: Date;
  /** Earliest time that the receiver allows. */
  readonly notBefore?: Date | undefined;
  /** Random number from 0 to 1. */
  readonly random: number;
}

/** Time of the next attempt; undefined: there is none. */
export type NextAttemptAt = (failed: FailedAttempt) => Date | undefined;

const createNextAttemptAt =
  ({ waitsMs, mostMs }: RetrySchedule): NextAttemptAt =>
  ({ attempts, at, notBefore, random }) => {
    const waitMs = waitsMs[attempts - 1];
    if (waitMs === undefined) return undefined;
    const askedMs = Math.min((notBefore?.getTime() ?? 0) - at.getTime(), mostMs);
    return new Date(at.getTime() + Math.max(waitMs, askedMs) * (1 + JITTER * random));
  };

export const nextAttemptAt = createNextAttemptAt(ofEvents);
export const nextNoticeAttemptAt = createNextAttemptAt(ofNotices);
