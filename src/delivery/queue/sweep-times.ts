/** A step that takes longer has waited for an unavailable store. */
const STEP_MS = 1_000;
/** Time within which late messages are stored after an outage of the store. */
const LATE_MS = 10_000;
/** Minimum time between two full scans, plus the duration of the last one times the factor. */
const REST_MS = 30_000;
const REST_FACTOR = 10;

/** Times of full scans of all due messages, on the monotonic clock. */
export interface SweepTimes {
  /** @returns false if it is not time yet */
  begin(nowMs: number): boolean;
  /** Duration of one of its steps. */
  took(stepMs: number): void;
  /** The full scan has finished. */
  end(nowMs: number): void;
  /** The store was unavailable until now: clients that stored messages waited, too, and have dated them from before. */
  wasAway(nowMs: number): void;
}

/** Rarely if a scan takes long, and once more after an outage of the store. */
export function createSweepTimes(): SweepTimes {
  let endedAtMs = Number.NEGATIVE_INFINITY;
  let awayAtMs = Number.POSITIVE_INFINITY;
  let lastMs = 0;
  let thisMs = 0;
  return {
    begin: (nowMs) => {
      const isLate = nowMs >= awayAtMs + LATE_MS;
      if (nowMs < endedAtMs + lastMs * REST_FACTOR || (nowMs < endedAtMs + REST_MS && !isLate)) return false;
      if (isLate) awayAtMs = Number.POSITIVE_INFINITY;
      return true;
    },
    // Waiting for the store is no reason to scan less often.
    took: (stepMs) => {
      thisMs += Math.min(stepMs, STEP_MS);
    },
    end: (nowMs) => {
      endedAtMs = nowMs;
      lastMs = thisMs;
      thisMs = 0;
    },
    wasAway: (nowMs) => {
      awayAtMs = nowMs;
    },
  };
}
