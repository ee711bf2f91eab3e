import type { Clock } from "../shared/clock.ts";
import { inLanes } from "../shared/in-lanes.ts";
import type { Logger } from "../shared/logger.ts";
import type { AcrossAccounts } from "../store/store.ts";
import type { CheckDomain } from "./check-domain.ts";

export interface CheckDueOptions {
  readonly store: Pick<AcrossAccounts, "domains">;
  readonly checkDomain: CheckDomain;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the process is told to end: no further look begins. */
  readonly signal: AbortSignal;
}

/** Looks at once: each waits for strangers' servers, and asks dozens of questions. */
const AT_ONCE = 8;
/** What is due beyond them waits for the next turn: looks are spread over the day, and not all made at its beginning. */
const PER_TURN = 40;
/** Whoever has taken a domain and has not stored anything by then has ended; longer than any look may take. */
const CLAIM_MS = 5 * 60_000;

/**
 * One turn of looking at domains that are due. Processes share them without a leader: whoever moves a domain's next look first
 * has it, and a process that ends in between leaves it for another one a few minutes later.
 */
export function createCheckDue({ store, checkDomain, clock, log, signal }: CheckDueOptions) {
  return async (): Promise<void> => {
    const due = await store.domains.listDue(clock.now(), PER_TURN);
    await inLanes(due, AT_ONCE, async (domain) => {
      if (signal.aborted) return;
      const until = new Date(clock.now().getTime() + CLAIM_MS);
      if (!(await store.domains.claim(domain, until))) return;
      try {
        await checkDomain(domain.accountId, domain.name);
      } catch (error) {
        // One that cannot be stored keeps none of the others waiting: it comes again when its claim is over.
        log.warn(
          { err: error, account: domain.accountId, domain: domain.name },
          "a domain could not be looked at",
        );
      }
    });
  };
}
