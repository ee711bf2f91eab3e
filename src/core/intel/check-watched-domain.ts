import { fault } from "../../shared/fault.ts";
import type { WatchedDomainDocument } from "../../store/intel-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import { createAskedLooks } from "../asked-looks.ts";
import type { Dependencies } from "../dependencies.ts";

/** A look costs dozens of queries, and connections to others' servers. */
const PAUSE_MS = 30_000;

/**
 * Looks at a domain now, and believes what it sees: its owner has repaired something. Answers when that is over.
 * @throws Fault watched_domain.check_too_soon
 */
export function createCheckWatchedDomain({ intel, clock }: Pick<Dependencies, "intel" | "clock">) {
  const whenAsked = createAskedLooks({
    ...{ clock, pauseMs: PAUSE_MS },
    tooSoon: (seconds) =>
      fault("watched_domain.check_too_soon", {
        public: `The domain, or others of the account, was checked just now: ask again in ${seconds} seconds.`,
        retryAfterSeconds: seconds,
      }),
  });

  return async (
    { id: accountId, watches }: AccountStore,
    id: string,
  ): Promise<WatchedDomainDocument | null> => {
    const domain = await watches.find(id);
    if (!domain) return null;
    const { askedAt } = domain;
    return whenAsked({ accountId, askedAt, ask: (now) => watches.ask(domain, now) }, async () => {
      await intel.checkWatch(domain, { isBelieved: true });
      return watches.find(id);
    });
  };
}
