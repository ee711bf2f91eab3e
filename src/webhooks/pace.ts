import { performance } from "node:perf_hooks";

/** Rate at which this process begins events, for all endpoints together. Mail has priority. */
export interface Pace {
  /** Measures the load since the last call. */
  check(): void;
  /** Reserves the next event. @returns its wait, in milliseconds */
  next(nowMs: number): number;
}

export interface PaceOptions {
  /** Number of mail delivery attempts of this process so far. */
  readonly mailAttempts: () => number;
  /** Share of the time since the last call that the process was busy. */
  readonly utilisation?: () => number;
}

/** A process that is busy for more than this share of its time lets mail wait. */
const BUSY = 0.75;
/** Minimum events per second, regardless of the amount of mail. */
const LEAST = 100;
const MOST = 20_000;
/** Burst after a pause, in milliseconds of the rate. */
const BURST_MS = 50;

/** Halves the rate while a busy process has mail to deliver, and increases it again afterwards. */
export function createPace({ mailAttempts, utilisation = measureUtilisation() }: PaceOptions): Pace {
  let perSecond = MOST;
  let nextMs = Number.NEGATIVE_INFINITY;
  let attempts = mailAttempts();

  return {
    check: () => {
      const before = attempts;
      attempts = mailAttempts();
      const mailWaits = utilisation() > BUSY && attempts > before;
      perSecond = mailWaits ? Math.max(LEAST, perSecond / 2) : Math.min(MOST, perSecond * 1.25);
    },
    next: (nowMs) => {
      nextMs = Math.max(nextMs, nowMs - BURST_MS) + 1_000 / perSecond;
      return Math.max(0, nextMs - nowMs);
    },
  };
}

function measureUtilisation(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
