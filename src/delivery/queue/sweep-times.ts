/** What a step takes beyond this it has waited, for a store that was away. */
const STEP_MS = 1_000;
/** What is stored late because the store was away is stored within this. */
const LATE_MS = 10_000;
/** So much time lies between two looks through everything, and the time that one took times the factor. */
const REST_MS = 30_000;
const REST_FACTOR = 10;

/** When everything that is due is looked through. Times are of the monotonic clock. */
export interface SweepTimes {
  /** @returns false: it is not time yet */
  begin(nowMs: number): boolean;
  /** So long one of its steps took. */
  took(stepMs: number): void;
  /** Everything has been looked through. */
  end(nowMs: number): void;
  /** The store was away until now: who stored a message meanwhile waited, too, and has dated it from before. */
  wasAway(nowMs: number): void;
}

/** Seldom where a look takes long, and once more after the store was away. */
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
    // What it waited for the store is no reason to look more seldom.
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
