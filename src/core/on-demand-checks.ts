import type { Clock } from "../shared/clock.ts";
import type { Fault } from "../shared/fault.ts";

export interface OnDemandChecksOptions {
  readonly clock: Pick<Clock, "now">;
  /** Minimum time between two checks: until then, the previous result is used. */
  readonly pauseMs: number;
  /** Fault for a caller who asks too soon. */
  readonly tooSoon: (seconds: number) => Fault;
}

/** An on-demand check. */
export interface OnDemandCheck {
  readonly accountId: string;
  /** Time of the last request; undefined: there was none. */
  readonly askedAt: Date | undefined;
  /** Records the request. False: another caller has requested a check since `askedAt` was read. */
  readonly ask: (now: Date) => Promise<boolean>;
}

/** Maximum number of concurrent checks of one account in one process. */
const AT_ONCE_MAX = 4;

/**
 * Runs on-demand checks, which a user waits for and which send dozens of queries to other servers: one per resource
 * and period, and a few at a time per account.
 * @throws Fault of `tooSoon`, and faults of `look`
 */
export function createOnDemandChecks({ clock, pauseMs, tooSoon }: OnDemandChecksOptions) {
  const underWay = new Map<string, number>();
  const refusal = (waitMs: number) => tooSoon(Math.ceil(waitMs / 1_000));

  return async <T>({ accountId, askedAt, ask }: OnDemandCheck, check: () => Promise<T>): Promise<T> => {
    const now = clock.now();
    const waitMs = (askedAt?.getTime() ?? Number.NEGATIVE_INFINITY) + pauseMs - now.getTime();
    if (waitMs > 0) throw refusal(waitMs);
    if ((underWay.get(accountId) ?? 0) >= AT_ONCE_MAX) throw refusal(pauseMs);
    // Set before the first wait, because other requests of the account may arrive during it.
    underWay.set(accountId, (underWay.get(accountId) ?? 0) + 1);
    try {
      if (!(await ask(now))) throw refusal(pauseMs);
      return await check();
    } finally {
      const left = (underWay.get(accountId) ?? 1) - 1;
      if (left > 0) underWay.set(accountId, left);
      else underWay.delete(accountId);
    }
  };
}
