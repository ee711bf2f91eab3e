/** Rates of endpoints that limit the requests per second. Each endpoint is served by one worker at a time. */
export interface Rates {
  /** Time until the next request to an endpoint may begin, in milliseconds. */
  waitMs(endpointId: string, nowMs: number): number;
  /** Counts a request that begins now. */
  begin(endpointId: string, perSecond: number | undefined, nowMs: number): void;
  /** Number of endpoints that must wait. */
  readonly size: number;
}

/** Timers are a few milliseconds late: so much is caught up. */
const CATCH_UP_MS = 50;
/** Interval of the removal of endpoints that need not wait. */
const SWEEP_MS = 10_000;

/** Spaces the requests to each endpoint. The time of the next one outlives the run of a queue. */
export function createRates(): Rates {
  /** Time of the next request by endpoint. */
  const next = new Map<string, number>();
  let sweptMs = Number.NEGATIVE_INFINITY;

  return {
    waitMs: (endpointId, nowMs) => Math.max(0, (next.get(endpointId) ?? nowMs) - nowMs),

    begin(endpointId, perSecond, nowMs) {
      if (perSecond === undefined) {
        next.delete(endpointId);
        return;
      }
      const former = next.get(endpointId) ?? Number.NEGATIVE_INFINITY;
      next.set(endpointId, Math.max(former, nowMs - CATCH_UP_MS) + 1_000 / perSecond);
      if (nowMs - sweptMs < SWEEP_MS) return;
      sweptMs = nowMs;
      for (const [id, atMs] of next) if (atMs < nowMs - CATCH_UP_MS) next.delete(id);
    },

    get size() {
      return next.size;
    },
  };
}
