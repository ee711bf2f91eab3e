const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Hermod's own schedule: waits after the first, second... failed attempt; the last one repeats. */
const WAITS_MS: readonly number[] = [
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

/**
 * When the next attempt follows; undefined: the message will be too old by then.
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
  const at = new Date(now.getTime() + Math.round(waitMs * (1 + JITTER * random())));
  return at <= expiresAt ? at : undefined;
}
