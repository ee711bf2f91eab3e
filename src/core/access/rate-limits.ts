import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { type Fault, fault, type RateLimitState } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";

export interface RateLimits {
  /**
   * Counts one submission of the key and its account, or one for each recipient. A submission that begins within the
   * limit is counted completely; later submissions wait for the excess.
   * @throws Fault rate.limited
   */
  consume(keyId: string, accountId: string, recipients?: number): Promise<RateLimitState[]>;
  /** Limit of the account with its use in the current window, without counting; undefined: no limit. */
  readAccount(accountId: string): Promise<RateLimitState | undefined>;
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

  type Limit = (typeof limits)[number];

  function stateOf({ name, quota }: Limit, result: RateLimiterRes | null): RateLimitState {
    return {
      name,
      quota,
      windowSeconds: WINDOW_SECONDS,
      // Points that are returned after the end of their window do not raise the capacity above the quota.
      remaining: Math.min(quota, Math.max(0, quota - (result?.consumedPoints ?? 0))),
      resetSeconds: Math.max(1, Math.ceil((result?.msBeforeNext ?? 0) / 1000)),
    };
  }

  /** Counts one submission if the limit permits it. */
  async function consumeOne({ limiter }: Limit, id: string) {
    try {
      return { ok: true, result: await limiter.consume(id) };
    } catch (rejected) {
      if (rejected instanceof RateLimiterRes) return { ok: false, result: rejected };
      throw rejected;
    }
  }

  /** Counts the cost of a submission beyond its first recipient. */
  async function charge({ quota, limiter }: Limit, id: string, more: number): Promise<void> {
    const { consumedPoints } = await limiter.penalty(id, more);
    const windows = Math.ceil(consumedPoints / quota);
    if (windows > 1) await limiter.block(id, windows * WINDOW_SECONDS);
  }

  /** A refused submission is charged only to the limit that refuses it. */
  async function refused(
    exceeded: Limit,
    result: RateLimiterRes,
    charged: readonly Limit[],
    idOf: (limit: Limit) => string,
  ): Promise<Fault> {
    const states = await Promise.all(
      limits.map(async (limit) => {
        if (limit === exceeded) return stateOf(limit, result);
        const { limiter } = limit;
        const id = idOf(limit);
        return stateOf(limit, charged.includes(limit) ? await limiter.reward(id) : await limiter.get(id));
      }),
    );
    return fault("rate.limited", {
      public: say("requests_per_second", { limit: exceeded.name, max: exceeded.quota }),
      retryAfterSeconds: stateOf(exceeded, result).resetSeconds,
      rateLimits: states,
    });
  }

  return {
    consume: async (keyId, accountId, recipients = 1) => {
      const idOf = ({ name }: Limit) => (name === "key" ? keyId : accountId);
      const charged: Limit[] = [];
      const states: RateLimitState[] = [];
      for (const limit of limits) {
        const { ok, result } = await consumeOne(limit, idOf(limit));
        if (!ok) throw await refused(limit, result, charged, idOf);
        charged.push(limit);
        states.push(stateOf(limit, result));
      }
      if (recipients > 1) {
        await Promise.all(limits.map((limit) => charge(limit, idOf(limit), recipients - 1)));
      }
      return states;
    },
    readAccount: async (accountId) => {
      const limit = limits.find(({ name }) => name === "account");
      if (!limit) return undefined;
      const found = await limit.limiter.get(accountId);
      // The limiter removes a window with a timer, which may be late.
      return stateOf(limit, found && found.msBeforeNext > 0 ? found : null);
    },
  };
}
