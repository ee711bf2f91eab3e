import { checkBlacklists } from "../intel/blacklists/check-blacklists.ts";
import { isOpen, type ListChoice } from "../intel/blacklists/open-lists.ts";
import type { CheckId } from "../intel/catalogue.ts";
import type { CheckResult } from "../intel/check-result.ts";
import { evaluateAlignment, type MailFacts } from "../intel/dmarc/evaluate-alignment.ts";
import type { CheckReason, RunChecks } from "../intel/run-checks.ts";
import { afterCheck, needsConfirmation } from "../intel/standing-check.ts";
import type { ReportAddresses } from "../message/dsn/report-address.ts";
import type { Clock } from "../shared/clock.ts";
import type { BlacklistStateDocument, WatchedDomainDocument } from "../store/intel-documents.ts";
import type { AcrossAccounts, Store } from "../store/store.ts";
import { stateKey, subjectOf } from "../store/subject-watches.ts";
import { type CheckProgress, createCheckProgress } from "./check-progress.ts";
import { evaluateRun, type OpenListing } from "./evaluate-run.ts";
import type { FindMailFacts } from "./find-mail-facts.ts";

const ALIGNMENT: CheckId = "auth.dmarc.alignment";

export interface CheckWatchOptions {
  readonly store: Pick<AcrossAccounts, "watches">;
  readonly blacklistStates: Store["blacklistStates"];
  readonly runChecks: RunChecks;
  readonly findMailFacts: FindMailFacts;
  /** Encodes addresses for reports about domains; undefined if the installation has none. */
  readonly reportAddresses: Pick<ReportAddresses, "encode"> | undefined;
  readonly lists: readonly ListChoice[];
  readonly clock: Pick<Clock, "now">;
  /** Retention of score points and changes, in milliseconds. */
  readonly keptMs: number;
}

/**
 * Checks a domain once and stores the results.
 * @returns undefined if the domain was changed or removed during the check, and nothing was stored
 * @throws Fault store.unavailable
 */
export type CheckWatch = (
  domain: WatchedDomainDocument,
  run: {
    /** On-demand check: its results count at once, without a confirmation check. */
    readonly isBelieved?: boolean;
    /** End of the claim; missing if the check was not claimed. */
    readonly claimedUntil?: Date;
  },
) => Promise<WatchedDomainDocument | undefined>;

export function createCheckWatch(options: CheckWatchOptions): CheckWatch {
  const { store, blacklistStates, runChecks, findMailFacts, lists, clock, keptMs } = options;

  /** Runs all checks except those of blacklists. */
  async function run(
    domain: WatchedDomainDocument,
    reason: CheckReason,
    onPart: CheckProgress["onPart"],
  ): Promise<CheckResult[]> {
    const mail = await findMailFacts(domain, clock.now());
    const { dkimSelectors, role } = domain;
    const results = await runChecks(
      {
        ...domain,
        reportAddresses: options.reportAddresses?.encode(domain._id),
        dkimSelectors: dkimSelectors.length > 0 ? dkimSelectors : mail.selectors,
      },
      reason,
      onPart,
    );
    const at = clock.now();
    return results.map((result) =>
      result.id === ALIGNMENT && role === "sending" ? withAlignment(result, domain, mail, at) : result,
    );
  }

  async function check(
    domain: WatchedDomainDocument,
    { isBelieved = false, claimedUntil }: Parameters<CheckWatch>[1],
    progress: CheckProgress,
  ): Promise<WatchedDomainDocument | undefined> {
    const known = await store.watches.findChecks(domain);
    const former = known?.checks ?? [];
    const reason = needsConfirmation(former) ? "second" : isBelieved ? "asked" : "due";
    const results = await run(domain, reason, progress.onPart);
    const states = await blacklistStates.find(domain.subjects);
    const now = clock.now();
    const ofLists = checkBlacklists({
      domain: domain.name,
      addresses: domain.sendingIps,
      lists,
      now,
      standingOf: (listId, subject) => states.get(stateKey({ listId, subject }))?.standing,
    });
    const standings = new Map(former.map((check) => [check.id, check]));
    const checks = [
      ...results.map((result) => afterCheck(standings.get(result.id), result, { at: now, isBelieved })),
      // A listing has already had its confirmation check.
      ...ofLists.map((result) => afterCheck(standings.get(result.id), result, { at: now, isBelieved: true })),
    ];
    const listings = listingsOf(states, lists);
    const formerListings = known?.listed ?? [];
    const judged = { domain, former, checks, lists, listings, formerListings, now, keptMs };
    // Its result ends the progress, so nothing may be written after it.
    await progress.settled();
    return store.watches.keep(domain, evaluateRun(judged), claimedUntil);
  }

  return async (domain, options) => {
    const since = clock.now();
    await store.watches.beginCheck(domain, since);
    const progress = createCheckProgress((done) => store.watches.advanceCheck(domain, since, done));
    let kept: WatchedDomainDocument | undefined;
    try {
      kept = await check(domain, options, progress);
      return kept;
    } finally {
      await progress.settled();
      // While the store is unavailable, nothing can be recorded; a later check replaces the record.
      if (!kept) await store.watches.endCheck(domain, since).catch(() => undefined);
    }
  };
}

/** Alignment is judged by reports about the mail. No DNS record contains it. */
function withAlignment(
  result: CheckResult,
  { name, sendingIps }: WatchedDomainDocument,
  mail: MailFacts,
  at: Date,
): CheckResult {
  const { lines, ...judgement } = evaluateAlignment({ ...mail, domain: name, addresses: sendingIps });
  const shown = { name, type: "MAIL", rcode: "NOERROR", data: lines, at } as const;
  return { ...result, ...judgement, evidence: lines.length > 0 ? [shown] : [] };
}

/** Listings of the domain's subjects at blacklists that are in use. */
function listingsOf(
  states: ReadonlyMap<string, BlacklistStateDocument>,
  lists: readonly ListChoice[],
): OpenListing[] {
  const open = new Set(lists.filter(isOpen).map(({ list }) => list.id));
  return [...states].flatMap(([key, { state, standing }]) => {
    const { listId, subject } = subjectOf(key);
    if (state !== "listed" || !open.has(listId)) return [];
    const meaning = (standing?.listing?.codes ?? []).map((code) => code.meaning).join(", ");
    return [{ key, listId, subject, meaning }];
  });
}
