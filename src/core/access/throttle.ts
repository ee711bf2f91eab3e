import type { Clock } from "../../shared/clock.ts";
import type { SignInFailuresDocument } from "../../store/documents.ts";
import type { Store } from "../../store/store.ts";

/** How often something may be done before each further time has to wait longer. */
export interface Limit {
  /** Names what is counted; it holds no address in clear. */
  readonly name: string;
  /** So many without any delay. */
  readonly free: number;
  /** After those; it doubles each time. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** After so long without another one the count begins anew. */
  readonly forgetMs: number;
}

/** Counts in the store, so that all processes count together. */
export interface Throttle {
  /**
   * Counts one more, unless it has to wait; of many at once each counts.
   * @returns how long it has to wait, in ms; 0: it was counted
   * @throws Fault store.unavailable
   */
  count(limit: Limit): Promise<number>;
  /** Counts one less. */
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

/** Before the next one, after so many. */
function delayMs(count: number, { free, firstDelayMs, maxDelayMs }: Limit): number {
  if (count < free) return 0;
  return Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(count - free, 20));
}
