import type { Clock } from "../shared/clock.ts";
import { inLanes } from "../shared/in-lanes.ts";
import type { Logger } from "../shared/logger.ts";
import type { AcrossAccounts } from "../store/store.ts";
import type { CheckWatch } from "./check-watch.ts";

export interface CheckDueOptions {
  readonly store: Pick<AcrossAccounts, "watches">;
  readonly checkWatch: CheckWatch;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the process is told to end: no further look begins. */
  readonly signal: AbortSignal;
}

/** Looks at once: each waits for others' servers, and asks dozens of questions. */
const AT_ONCE = 16;
/** What is due beyond them waits for the next turn. */
const PER_TURN = 200;
/** Whoever has claimed a domain and has not stored anything by then has ended; longer than any look may take. */
const CLAIM_MS = 5 * 60_000;

/**
 * One turn of looking at watched domains that are due. Processes share them without a leader: whoever moves a domain's next
 * look first has it, and a process that ends in between leaves it for another one a few minutes later.
 */
export function createCheckDueWatches({ store, checkWatch, clock, log, signal }: CheckDueOptions) {
  return async (): Promise<void> => {
    const due = await store.watches.listDue(clock.now(), PER_TURN);
    await inLanes(due, AT_ONCE, async (domain) => {
      if (signal.aborted) return;
      const claimedUntil = new Date(clock.now().getTime() + CLAIM_MS);
      if (!(await store.watches.claim(domain, claimedUntil))) return;
      try {
        await checkWatch(domain, { claimedUntil });
      } catch (error) {
        // One that cannot be stored keeps none of the others waiting: it comes again when its claim is over.
        log.warn({ err: error, domain: domain._id }, "a watched domain could not be checked");
      }
    });
  };
}
