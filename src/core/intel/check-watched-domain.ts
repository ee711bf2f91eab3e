import { fault } from "../../shared/fault.ts";
import type { WatchedDomainDocument } from "../../store/intel-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";

/** A look costs dozens of queries, and connections to others' servers: so long the answer of the one before has to do. */
const PAUSE_MS = 30_000;
/** Looks that one account may have under way at once, in one process. */
const AT_ONCE_MAX = 4;

/**
 * Looks at a domain now, and believes what it sees: its owner has repaired something. Answers when that is over.
 * @throws Fault watched_domain.unknown, watched_domain.check_too_soon
 */
export function createCheckWatchedDomain({ intel, clock }: Pick<Dependencies, "intel" | "clock">) {
  const underWay = new Map<string, number>();

  return async (account: AccountStore, id: string): Promise<WatchedDomainDocument | null> => {
    const domain = await account.watches.find(id);
    if (!domain) return null;
    const now = clock.now();
    const waitMs = (domain.askedAt?.getTime() ?? Number.NEGATIVE_INFINITY) + PAUSE_MS - now.getTime();
    if (waitMs > 0) throw tooSoon(waitMs);
    const count = underWay.get(account.id) ?? 0;
    if (count >= AT_ONCE_MAX) throw tooSoon(PAUSE_MS);
    if (!(await account.watches.ask(domain, now))) throw tooSoon(PAUSE_MS);
    underWay.set(account.id, (underWay.get(account.id) ?? 0) + 1);
    try {
      await intel.checkWatch(domain, { isBelieved: true });
      return await account.watches.find(id);
    } finally {
      const left = (underWay.get(account.id) ?? 1) - 1;
      if (left > 0) underWay.set(account.id, left);
      else underWay.delete(account.id);
    }
  };
}

function tooSoon(waitMs: number) {
  const seconds = Math.ceil(waitMs / 1_000);
  return fault("watched_domain.check_too_soon", {
    public: `The domain, or others of the account, was checked just now: ask again in ${seconds} seconds.`,
    retryAfterSeconds: seconds,
  });
}
