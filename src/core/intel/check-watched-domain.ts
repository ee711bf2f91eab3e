import { systemTimers, type Timers } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import type { WatchedDomainDocument } from "../../store/intel-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import type { IntelParts } from "./intel-parts.ts";

/** A look costs dozens of queries, and connections to others' servers: so long the answer of the one before has to do. */
const PAUSE_MS = 30_000;
/** Looks that one account may have under way at once, in one process. */
const AT_ONCE_MAX = 4;
/** Callers wait for no answer longer than 15 seconds, and a look at silent servers takes a minute and more. */
const WAIT_MS = 10_000;

interface Needs extends Pick<Dependencies, "clock" | "log"> {
  readonly intel: Pick<IntelParts, "checkWatch">;
  readonly timers?: Timers;
}

/**
 * Looks at a domain now, and believes what it sees: its owner has repaired something. Answers when that is over; a look that takes
 * longer goes on, and the answer is what was known before.
 * @returns null: there is no such domain
 * @throws Fault watched_domain.check_too_soon
 */
export function createCheckWatchedDomain({ intel, clock, log, timers = systemTimers }: Needs) {
  const underWay = new Map<string, number>();

  function count(accountId: string, change: 1 | -1): void {
    const left = (underWay.get(accountId) ?? 0) + change;
    if (left > 0) underWay.set(accountId, left);
    else underWay.delete(accountId);
  }

  async function look(domain: WatchedDomainDocument): Promise<void> {
    count(domain.accountId, 1);
    try {
      await intel.checkWatch(domain, { isBelieved: true });
    } finally {
      count(domain.accountId, -1);
    }
  }

  /** Resolves when a look is over, or has taken so long that nobody waits any more. */
  function awaited(work: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      const forget = timers.after(WAIT_MS, () => {
        isAnswered = true;
        resolve();
      });
      work.finally(forget).then(resolve, (error) => {
        // Nothing is lost but the look: the monitor looks again when the domain is due.
        if (isAnswered)
          log.warn({ err: error }, "a look at a domain, which somebody had asked for, has failed");
        reject(error);
      });
    });
  }

  return async (account: AccountStore, id: string): Promise<WatchedDomainDocument | null> => {
    const domain = await account.watches.find(id);
    if (!domain) return null;
    const now = clock.now();
    const waitMs = (domain.askedAt?.getTime() ?? Number.NEGATIVE_INFINITY) + PAUSE_MS - now.getTime();
    if (waitMs > 0) throw tooSoon(waitMs);
    if ((underWay.get(account.id) ?? 0) >= AT_ONCE_MAX) throw tooSoon(PAUSE_MS);
    if (!(await account.watches.ask(domain, now))) throw tooSoon(PAUSE_MS);
    await awaited(look(domain));
    return account.watches.find(id);
  };
}

function tooSoon(waitMs: number) {
  const seconds = Math.ceil(waitMs / 1_000);
  return fault("watched_domain.check_too_soon", {
    public: `The domain, or others of the account, was checked just now: ask again in ${seconds} seconds.`,
    retryAfterSeconds: seconds,
  });
}
