import { performance } from "node:perf_hooks";

/** How fast events are begun by this process, all endpoints together: mail goes first. */
export interface Pace {
  /** Looks what the process has done since it was looked last. */
  look(): void;
  /** Begins one more. @returns how long it has to wait, in milliseconds */
  next(nowMs: number): number;
}

export interface PaceOptions {
  /** How many attempts to deliver mail this process has made so far. */
  readonly mailAttempts: () => number;
  /** The share of the time since it was asked last in which the process worked. */
  readonly utilisation?: () => number;
}

/** A process that works for more than this share of its time lets mail wait. */
const BUSY = 0.75;
/** Events per second that are begun however much mail there is. */
const LEAST = 100;
const MOST = 20_000;
/** So much may be begun at once after a pause, in milliseconds of the pace. */
const BURST_MS = 50;

/** Halves the pace while a busy process has mail to deliver, and lets it grow again afterwards. */
export function createPace({ mailAttempts, utilisation = measureUtilisation() }: PaceOptions): Pace {
  let perSecond = MOST;
  let nextMs = Number.NEGATIVE_INFINITY;
  let attempts = mailAttempts();

  return {
    look: () => {
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
