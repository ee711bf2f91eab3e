import type { Clock } from "../shared/clock.ts";
import { createLru } from "../shared/lru.ts";

/** Limits the mail of unauthenticated clients per hour. Any client that reaches the port can send mail. */
export interface HourlyLimits {
  /** Whether one more mail is allowed. */
  allows(key: string): boolean;
  /** Counts a mail. False: the limit is reached, and the mail is not counted. */
  take(key: string): boolean;
}

export interface HourlyLimitsOptions {
  /** Mails of one key, which is a network or an address. */
  readonly each: number;
  readonly inAll: number;
  readonly clock: Pick<Clock, "monotonicMs">;
}

const HOUR_MS = 3_600_000;
const MAX_KEYS = 10_000;

/** Creates the hourly limits of this process. */
export function createHourlyLimits({ each, inAll, clock }: HourlyLimitsOptions): HourlyLimits {
  /** Mails of the current hour, by key. */
  const counts = createLru<number>(MAX_KEYS);
  let all = 0;
  let hourEndsMs = Number.NEGATIVE_INFINITY;

  function allows(key: string): boolean {
    const nowMs = clock.monotonicMs();
    if (nowMs >= hourEndsMs) {
      counts.clear();
      all = 0;
      hourEndsMs = nowMs + HOUR_MS;
    }
    return all < inAll && (counts.get(key) ?? 0) < each;
  }

  return {
    allows,
    take: (key) => {
      if (!allows(key)) return false;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      all++;
      return true;
    },
  };
}
