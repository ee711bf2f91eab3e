import type { Clock } from "../../shared/clock.ts";
import type { SignInFailuresDocument } from "../../store/documents.ts";
import type { Store } from "../../store/store.ts";

/** Number of attempts after which each further one has a longer delay. */
export interface Limit {
  /** Name of the counter; it contains no address in clear. */
  readonly name: string;
  /** Number of attempts without a delay. */
  readonly free: number;
  /** Delay after the free attempts; it doubles each time. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** The count is reset after this time without another attempt. */
  readonly forgetMs: number;
}

/** Counts in the store, so that all processes share the counts. */
export interface Throttle {
  /**
   * Counts one attempt unless it must wait. Parallel attempts are all counted.
   * @returns time to wait in ms; 0: the attempt was counted
   * @throws Fault store.unavailable
   */
  count(limit: Limit): Promise<number>;
  /** Subtracts one. */
  takeBack(name: string): Promise<void>;
  forget(name: string): Promise<void>;
}

export interface ThrottleOptions {
  readonly failures: Store["signInFailures"];
  readonly clock: Clock;
}

export function createThrottle({ failures, clock }: ThrottleOptions): Throttle {
  return {
    count: async (limit) => {
      for (;;) {
        const now = clock.now();
        const found = await failures.find(limit.name);
        const former = found && found.expireAt > now ? found : null;
        const waitMs = former ? former.lastAt.getTime() + delayMs(former.count, limit) - now.getTime() : 0;
        if (waitMs > 0) return waitMs;
        const next: SignInFailuresDocument = {
          _id: limit.name,
          count: (former?.count ?? 0) + 1,
          lastAt: now,
          expireAt: new Date(now.getTime() + limit.forgetMs),
        };
        if (await failures.count(found, next)) return 0;
      }
    },
    takeBack: (name) => failures.takeBack(name),
    forget: (name) => failures.forget(name),
  };
}

/** Delay before the next attempt after this number of attempts. */
function delayMs(count: number, { free, firstDelayMs, maxDelayMs }: Limit): number {
  if (count < free) return 0;
  return Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(count - free, 20));
}
