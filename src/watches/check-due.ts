import type { Clock } from "../shared/clock.ts";
import { inParallel } from "../shared/in-parallel.ts";
import type { Logger } from "../shared/logger.ts";
import type { AcrossAccounts } from "../store/store.ts";
import type { CheckWatch } from "./check-watch.ts";

export interface CheckDueOptions {
  readonly store: Pick<AcrossAccounts, "watches">;
  readonly checkWatch: CheckWatch;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the process stops: no further check begins. */
  readonly signal: AbortSignal;
}

/** Concurrent checks. Each waits for external servers and makes dozens of queries. */
const AT_ONCE = 16;
/** Maximum number of domains per turn. The others wait for the next turn. */
const PER_ROUND = 200;
/** Duration of a claim. It is longer than any check, so a process that stored no result by then has ended. */
const CLAIM_MS = 5 * 60_000;

/**
 * Checks the watched domains that are due, once. Processes share them without a leader: the first process that postpones the next
 * check of a domain has claimed it. If the process ends before the check, another one takes the domain a few minutes later.
 */
export function createCheckDueWatches({ store, checkWatch, clock, log, signal }: CheckDueOptions) {
  return async (): Promise<void> => {
    const due = await store.watches.listDue(clock.now(), PER_ROUND);
    await inParallel(due, AT_ONCE, async (domain) => {
      if (signal.aborted) return;
      const claimedUntil = new Date(clock.now().getTime() + CLAIM_MS);
      if (!(await store.watches.claim(domain, claimedUntil))) return;
      try {
        await checkWatch(domain, { claimedUntil });
      } catch (error) {
        // A failure does not delay the other domains. The domain is due again when its claim expires.
        log.warn({ err: error, domain: domain._id }, "a watched domain could not be checked");
      }
    });
  };
}
