import type { Clock } from "../shared/clock.ts";
import { inParallel } from "../shared/in-parallel.ts";
import type { Logger } from "../shared/logger.ts";
import type { AcrossAccounts } from "../store/store.ts";
import type { CheckDomain } from "./check-domain.ts";

export interface CheckDueOptions {
  readonly store: Pick<AcrossAccounts, "domains">;
  readonly checkDomain: CheckDomain;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted on shutdown: no further check begins. */
  readonly signal: AbortSignal;
}

/** Maximum number of concurrent checks. Each waits for remote servers and sends dozens of queries. */
const AT_ONCE = 8;
/** Maximum number of checks per turn. The rest waits for the next turn, so that checks are spread over the day. */
const PER_ROUND = 40;
/** Duration of a claim, longer than any check. A process that has stored nothing by then has ended. */
const CLAIM_MS = 5 * 60_000;

/**
 * Runs one turn of checks for due domains. Processes share the domains without a leader: the first process that moves
 * a domain's next check owns it. If the process ends, another one continues a few minutes later.
 */
export function createCheckDue({ store, checkDomain, clock, log, signal }: CheckDueOptions) {
  return async (): Promise<void> => {
    const due = await store.domains.listDue(clock.now(), PER_ROUND);
    await inParallel(due, AT_ONCE, async (domain) => {
      if (signal.aborted) return;
      const until = new Date(clock.now().getTime() + CLAIM_MS);
      if (!(await store.domains.claim(domain, until))) return;
      try {
        await checkDomain(domain.accountId, domain.name);
      } catch (error) {
        // A domain that cannot be stored does not delay others. It is checked again when its claim expires.
        log.warn(
          { err: error, account: domain.accountId, domain: domain.name },
          "the check of a domain failed",
        );
      }
    });
  };
}
