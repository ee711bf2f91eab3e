import type { Clock } from "./clock.ts";
import type { ClockSkew } from "./clock-skew.ts";

/** Further apart than this between two looks, and the wall clock was set, or the machine was asleep. */
const STEP_MS = 5_000;

/** A wall clock whose steps change nothing before they are known to be right. */
export interface SteadyClock extends Clock {
  /** Looks for a step, as every `now()` does. */
  look(): void;
  /** Whether a step is not believed: `now()` goes on by the monotonic clock. */
  holds(): boolean;
  /**
   * Compares both clocks with the store's: the wall clock is followed again when it is the nearer one.
   * @param skew of this clock
   */
  settle(skew: ClockSkew): void;
}

export interface SteadyClockOptions {
  /** A step that has lasted so long is believed without a witness; 0: at once. Missing: never. */
  readonly believeAfterMs?: number;
  /** Told of every step of the wall clock. */
  readonly onStep?: (stepMs: number) => void;
}

/**
 * Follows the wall clock, slewing included, until that steps; then goes on by the monotonic clock until the store's time
 * has confirmed the step. It is the one clock of a process, so that one rule covers all that is dated:
 *
 * - Maximum ages, retries, `send_at`, idempotency keys, retention and suppressions go by it: their dates are stored, and
 *   mean the same to the next process, so that a monotonic clock cannot measure them.
 * - Leases go by the store's clock, for several machines must agree on them.
 * - Caches of keys and settings, rate limits, what is remembered of servers and every timeout are measured by
 *   `monotonicMs` or timers: a step does not concern them.
 * - Tokens of unsubscribe links and return paths carry no date.
 * - Certificates are checked by Node.js, against the wall clock; deadlines of gRPC are dates of it too: a step may end a
 *   call early, and it is made again.
 */
export function createSteadyClock(clock: Clock, options: SteadyClockOptions = {}): SteadyClock {
  const { believeAfterMs = Number.POSITIVE_INFINITY, onStep = () => undefined } = options;
  let wallMs = clock.now().getTime();
  let monotonicMs = clock.monotonicMs();
  let steppedAtMs = 0;
  /** What the wall clock has to be corrected by; 0: it is right, as far as is known. */
  let correctionMs = 0;

  function look(): void {
    const nowMs = clock.now().getTime();
    const monotonicNowMs = clock.monotonicMs();
    const stepMs = nowMs - wallMs - (monotonicNowMs - monotonicMs);
    wallMs = nowMs;
    monotonicMs = monotonicNowMs;
    const hasStepped = Math.abs(stepMs) > STEP_MS;
    if (hasStepped) {
      correctionMs -= stepMs;
      steppedAtMs = monotonicNowMs;
      // It has stepped back to where it was.
      if (Math.abs(correctionMs) < STEP_MS) correctionMs = 0;
    }
    if (monotonicNowMs - steppedAtMs >= believeAfterMs) correctionMs = 0;
    if (hasStepped) onStep(stepMs);
  }

  return {
    now: () => {
      look();
      return new Date(wallMs + correctionMs);
    },
    monotonicMs: clock.monotonicMs,
    look,
    holds: () => correctionMs !== 0,
    settle: ({ skewMs }) => {
      const wallSkewMs = skewMs - correctionMs;
      if (Math.abs(wallSkewMs) <= Math.abs(skewMs)) correctionMs = 0;
    },
  };
}
