import { systemTimers, type Timers } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { WatchedDomainDocument } from "../../store/intel-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { createOnDemandChecks } from "../on-demand-checks.ts";
import type { IntelParts } from "./intel-parts.ts";

/** A check costs dozens of queries, and connections to other servers. */
const PAUSE_MS = 30_000;
/** Callers wait at most 15 seconds for an answer. A check of silent servers takes a minute or longer. */
const WAIT_MS = 10_000;

interface Needs extends Pick<Dependencies, "clock" | "log"> {
  readonly intel: Pick<IntelParts, "checkWatch">;
  readonly timers?: Timers;
}

/**
 * Checks a domain now, without a confirmation check, because its owner has corrected it. Returns when the check is
 * complete. A check that takes longer continues in the background, and the former results are returned.
 * @returns null: the domain does not exist
 * @throws Fault watched_domain.check_too_soon
 */
export function createCheckWatchedDomain({ intel, clock, log, timers = systemTimers }: Needs) {
  const whenAsked = createOnDemandChecks({ clock, pauseMs: PAUSE_MS, tooSoon });

  /** Resolves when a check is complete, or after the maximum wait. */
  function awaited(work: Promise<unknown>): Promise<void> {
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      const forget = timers.after(WAIT_MS, () => {
        isAnswered = true;
        resolve();
      });
      work.finally(forget).then(
        () => resolve(),
        (error) => {
          // Only this check is lost: the domain is checked again when it is due.
          if (isAnswered) log.warn({ err: error }, "an on-demand check of a domain failed");
          reject(error);
        },
      );
    });
  }

  return async (
    { id: accountId, watches }: AccountStore,
    id: string,
  ): Promise<WatchedDomainDocument | null> => {
    const domain = await watches.find(id);
    if (!domain) return null;
    const asked = { accountId, askedAt: domain.askedAt, ask: (now: Date) => watches.ask(domain, now) };
    await awaited(whenAsked(asked, () => intel.checkWatch(domain, { isBelieved: true })));
    return watches.find(id);
  };
}

function tooSoon(seconds: number) {
  return fault("watched_domain.check_too_soon", {
    public: say("domain_others_account_checked_just_now", { seconds }),
    retryAfterSeconds: seconds,
  });
}
