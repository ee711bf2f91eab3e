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
  /** Aborted when the process is to end: no further check begins. */
  readonly signal: AbortSignal;
}

/** Concurrent checks: each waits for foreign servers and sends dozens of queries. */
const AT_ONCE = 8;
/** Further due domains wait for the next turn, so that checks are spread over the day. */
const PER_TURN = 40;
/** A process that has claimed a domain and stored no result within this time has ended. Longer than any check takes. */
const CLAIM_MS = 5 * 60_000;

/**
 * One turn of checks of due domains. Processes share them without a leader: the first process that postpones the next check of
 * a domain claims it. If that process ends before the result, another one checks the domain a few minutes later.
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
        // A failure to store the result of a domain does not delay the others: it is due again after its claim.
        log.warn(
          { err: error, account: domain.accountId, domain: domain.name },
          "a domain could not be looked at",
        );
      }
    });
  };
}
