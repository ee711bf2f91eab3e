import type { Clock } from "./clock.ts";
import type { ClockSkew } from "./clock-skew.ts";

/** A larger difference between two checks means that the wall clock was set, or the machine was suspended. */
const STEP_MS = 5_000;

/** A wall clock with steps that have no effect before they are confirmed. */
export interface SteadyClock extends Clock {
  /** Checks for a step, like every `now()`. */
  check(): void;
  /** Whether a step is unconfirmed: `now()` continues by the monotonic clock. */
  holds(): boolean;
  /**
   * Compares both clocks with the store's. The wall clock is followed again if it is closer.
   * @param skew of this clock
   */
  settle(skew: ClockSkew): void;
}

export interface SteadyClockOptions {
  /** A step that has lasted this long is accepted without confirmation; 0: immediately. Missing: never. */
  readonly believeAfterMs?: number;
  /** Called for every step of the wall clock. */
  readonly onStep?: (stepMs: number) => void;
}

/**
 * Follows the wall clock, including slewing, until it steps. It then continues by the monotonic clock until the store's
 * time has confirmed the step. It is the only clock of a process, so that one rule covers all dates:
 *
 * - Maximum ages, retries, `send_at`, idempotency keys, retention and suppressions use it: their dates are stored and
 *   must mean the same to the next process, so a monotonic clock cannot measure them.
 * - Leases use the store's clock, because several machines must agree on them.
 * - Caches of keys and settings, rate limits, data about servers and all timeouts are measured by `monotonicMs` or
 *   timers, so a step does not affect them.
 * - Tokens of unsubscribe links and return paths contain no date.
 * - Node.js checks certificates by the wall clock, and gRPC deadlines are dates of the wall clock: a step may end a
 *   call early, and the call is repeated.
 */
export function createSteadyClock(clock: Clock, options: SteadyClockOptions = {}): SteadyClock {
  const { believeAfterMs = Number.POSITIVE_INFINITY, onStep = () => undefined } = options;
  let wallMs = clock.now().getTime();
  let monotonicMs = clock.monotonicMs();
  let steppedAtMs = 0;
  /** Correction of the wall clock; 0: it is correct, as far as known. */
  let correctionMs = 0;

  function poll(): void {
    const nowMs = clock.now().getTime();
    const monotonicNowMs = clock.monotonicMs();
    const stepMs = nowMs - wallMs - (monotonicNowMs - monotonicMs);
    wallMs = nowMs;
    monotonicMs = monotonicNowMs;
    const hasStepped = Math.abs(stepMs) > STEP_MS;
    if (hasStepped) {
      correctionMs -= stepMs;
      steppedAtMs = monotonicNowMs;
      // It has stepped back to its former time.
      if (Math.abs(correctionMs) < STEP_MS) correctionMs = 0;
    }
    if (monotonicNowMs - steppedAtMs >= believeAfterMs) correctionMs = 0;
    if (hasStepped) onStep(stepMs);
  }

  return {
    now: () => {
      poll();
      return new Date(wallMs + correctionMs);
    },
    monotonicMs: clock.monotonicMs,
    check: poll,
    holds: () => correctionMs !== 0,
    settle: ({ skewMs }) => {
      const wallSkewMs = skewMs - correctionMs;
      if (Math.abs(wallSkewMs) <= Math.abs(skewMs)) correctionMs = 0;
    },
  };
}
