/**
 * The results of attempts that are not in the store yet. What is not recorded when the process dies, or loses its
 * leases, is sent again: so little is to be at stake while the store does not take them.
 */
export interface Unrecorded {
  readonly size: number;
  /** A result waits to be recorded from now on. @returns to be called, once, when it waits no longer */
  begin(nowMs: number): () => void;
  /** Whether another attempt may be started. */
  mayStart(nowMs: number): boolean;
  /** Whether an attempt that was started may go on to the final dot. */
  mayFinish(nowMs: number): boolean;
}

/** No attempt is started while so many results wait. */
export const MAX_UNRECORDED = 200;
/** While one has waited for so long no attempt is started: recording takes some 20 ms, and seldom a few hundred. */
const START_STALL_MS = 500;
/** While one has waited for so long no message is given to a server that does not have it yet. */
const FINISH_STALL_MS = 1_000;

export function createUnrecorded(): Unrecorded {
  /** When each began to wait, the longest waiting first. */
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
