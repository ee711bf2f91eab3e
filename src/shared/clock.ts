/** Where time comes from, so that tests can hold it still. */
export interface Clock {
  now(): Date;
  /** Milliseconds that only grow, for measuring. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
