/**
 * Results of attempts that are not stored yet. If the process dies or loses its leases, unrecorded messages are sent again, so
 * their number is limited while the store does not accept them.
 */
export interface Unrecorded {
  readonly size: number;
  /** Adds a result that waits to be recorded. @returns a function to call once when it no longer waits */
  begin(nowMs: number): () => void;
  /** True if another attempt may start. */
  mayStart(nowMs: number): boolean;
  /** True if a started attempt may continue to the final dot. */
  mayFinish(nowMs: number): boolean;
}

/** No attempt starts while this many results wait. */
export const MAX_UNRECORDED = 200;
/** No attempt starts while a result has waited for this long: recording takes about 20 ms, rarely a few hundred. */
const START_STALL_MS = 500;
/** No message is given to a server that does not have it yet while a result has waited for this long. */
const FINISH_STALL_MS = 1_000;

export function createUnrecorded(): Unrecorded {
  /** Time at which each began to wait, earliest first. */
  const waiting = new Map<object, number>();

  function oldestIsYoungerThan(limitMs: number, nowMs: number): boolean {
    for (const sinceMs of waiting.values()) return nowMs - sinceMs < limitMs;
    return true;
  }

  return {
    get size() {
      return waiting.size;
    },
    begin: (nowMs) => {
      const result = {};
      waiting.set(result, nowMs);
      return () => void waiting.delete(result);
    },
    mayStart: (nowMs) => waiting.size < MAX_UNRECORDED && oldestIsYoungerThan(START_STALL_MS, nowMs),
    mayFinish: (nowMs) => oldestIsYoungerThan(FINISH_STALL_MS, nowMs),
  };
}
