import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { fault, type RateLimitState } from "../shared/fault.ts";

export interface RateLimits {
  /**
   * Counts one submission of the key and its account.
   * @throws Fault rate.limited
   */
  consume(keyId: string, accountId: string): Promise<RateLimitState[]>;
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

  return {
    consume: async (keyId, accountId) => {
      const counted = await Promise.all(
        limits.map((limit) => consumeOne(limit, limit.name === "key" ? keyId : accountId)),
      );
      const states = counted.map((state) => ({ ...state, remaining: Math.max(0, state.remaining) }));
      const exceeded = counted.find(({ remaining }) => remaining < 0);
      if (!exceeded) return states;
      throw fault("rate.limited", {
        public: `The ${exceeded.name} may make ${exceeded.quota} requests per second. Nothing was stored.`,
        retryAfterSeconds: exceeded.resetSeconds,
        rateLimits: states,
      });
    },
  };
}
