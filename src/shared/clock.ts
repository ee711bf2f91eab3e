/** Source of time, which tests can stop. */
export interface Clock {
  now(): Date;
  /** Milliseconds that never decrease, for measuring. */
  monotonicMs(): number;
}

/** Timers, which tests can fire immediately. */
export interface Timers {
  /** Calls repeatedly, after `ms` each time. @returns a function that stops it */
  every(ms: number, call: () => void): () => void;
  /** Calls once, after `ms`. @returns a function that prevents it */
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
