const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Between one attempt and the next (Standard Webhooks 1.0): the first is made at once, the tenth is the last. */
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
/** Later by so much at most: what has failed together is not tried together. */
const JITTER = 0.2;
/** No receiver puts off an attempt for longer. */
const MOST_MS = 24 * HOUR_MS;

export interface FailedAttempt {
  /** How many there were, this one included. */
  readonly attempts: number;
  readonly at: Date;
  /** Not before that, says the receiver. */
  readonly notBefore?: Date | undefined;
  /** From 0 to 1. */
  readonly random: number;
}

/** When it is tried again; undefined: not any more. */
export function nextAttemptAt({ attempts, at, notBefore, random }: FailedAttempt): Date | undefined {
  const waitMs = WAITS_MS[attempts - 1];
  if (waitMs === undefined) return undefined;
  const askedMs = Math.min((notBefore?.getTime() ?? 0) - at.getTime(), MOST_MS);
  return new Date(at.getTime() + Math.max(waitMs, askedMs) * (1 + JITTER * random));
}
