import type { Clock } from "../shared/clock.ts";
import { createLru } from "../shared/lru.ts";

/** How much mail anybody may bring about within an hour: whoever finds the port can write to it. */
export interface HourlyLimits {
  /** Whether one more may come. */
  allows(key: string): boolean;
  /** Counts one; false: it is one too many, and not counted. */
  take(key: string): boolean;
}

export interface HourlyLimitsOptions {
  /** Mails of one key, as of a network or for an address. */
  readonly each: number;
  readonly inAll: number;
  readonly clock: Pick<Clock, "monotonicMs">;
}

const HOUR_MS = 3_600_000;
const MAX_KEYS = 10_000;

/** Limits of this process, by the hour. */
export function createHourlyLimits({ each, inAll, clock }: HourlyLimitsOptions): HourlyLimits {
  /** Mails of this hour, by key. */
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
