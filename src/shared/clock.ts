/** Where time comes from, so that tests can hold it still. */
export interface Clock {
  now(): Date;
  /** Milliseconds that only grow, for measuring. */
  monotonicMs(): number;
}

/** What waits for time to pass, so that tests can let it pass at once. */
export interface Timers {
  /** Calls again and again, each time so many milliseconds later. @returns what ends it */
  every(ms: number, call: () => void): () => void;
  /** Calls once, so many milliseconds later. @returns what prevents it */
  after(ms: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};

export const systemTimers: Timers = {
  every: (ms, call) => {
    const timer = setInterval(call, ms);
    return () => clearInterval(timer);
  },
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
