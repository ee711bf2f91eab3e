import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { fault, type RateLimitState } from "../../shared/fault.ts";

export interface RateLimits {
  /**
   * Counts one submission of the key and its account, or as many as it has recipients. One that is begun within the
   * limit is counted in full; what that exceeds the limit by, those after it wait for.
   * @throws Fault rate.limited
   */
  consume(keyId: string, accountId: string, recipients?: number): Promise<RateLimitState[]>;
}

export interface RateLimitOptions {
  /** Submissions per second; 0: no limit. */
  readonly perKey: number;
  readonly perAccount: number;
}

const WINDOW_SECONDS = 1;

/** Limits of this core process: each core counts for itself. */
export function createRateLimits({ perKey, perAccount }: RateLimitOptions): RateLimits {
  const limits = [
    { name: "key" as const, quota: perKey },
    { name: "account" as const, quota: perAccount },
  ]
    .filter(({ quota }) => quota > 0)
    .map((limit) => ({
      ...limit,
      limiter: new RateLimiterMemory({ points: limit.quota, duration: WINDOW_SECONDS }),
    }));

  async function consumeOne(
    { name, quota, limiter }: (typeof limits)[number],
    id: string,
  ): Promise<RateLimitState> {
    const result = await limiter.consume(id).catch((rejected: unknown) => {
      if (rejected instanceof RateLimiterRes) return rejected;
      throw rejected;
    });
    return {
      name,
      quota,
      windowSeconds: WINDOW_SECONDS,
      remaining: result.consumedPoints > quota ? -1 : result.remainingPoints,
      resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
    };
  }

  /** Counts what a submission costs beyond its first recipient. */
  async function charge(
    { quota, limiter }: (typeof limits)[number],
    id: string,
    more: number,
  ): Promise<void> {
    const { consumedPoints } = await limiter.penalty(id, more);
    const windows = Math.ceil(consumedPoints / quota);
    if (windows > 1) await limiter.block(id, windows * WINDOW_SECONDS);
  }

  return {
    consume: async (keyId, accountId, recipients = 1) => {
      const idOf = ({ name }: { readonly name: string }) => (name === "key" ? keyId : accountId);
      const counted = await Promise.all(limits.map((limit) => consumeOne(limit, idOf(limit))));
      const states = counted.map((state) => ({ ...state, remaining: Math.max(0, state.remaining) }));
      const exceeded = counted.find(({ remaining }) => remaining < 0);
      if (!exceeded) {
        if (recipients > 1)
          await Promise.all(limits.map((limit) => charge(limit, idOf(limit), recipients - 1)));
        return states;
      }
      throw fault("rate.limited", {
        public: `The ${exceeded.name} may make ${exceeded.quota} requests per second. Nothing was stored.`,
        retryAfterSeconds: exceeded.resetSeconds,
        rateLimits: states,
      });
    },
  };
}
