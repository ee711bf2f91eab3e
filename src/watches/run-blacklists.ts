import type { CheckRound, RoundResult } from "../intel/blacklists/check-round.ts";
import { afterCheck, shownState } from "../intel/blacklists/listing.ts";
import { isOpen, type ListChoice, type OpenList } from "../intel/blacklists/open-lists.ts";
import { allowanceAt, nextCheckAt, type Pace, planPace, spend } from "../intel/blacklists/pace.ts";
import type { Clock } from "../shared/clock.ts";
import { inParallel } from "../shared/in-parallel.ts";
import type { Logger } from "../shared/logger.ts";
import { utcDay } from "../shared/utc-day.ts";
import type { BlacklistStateDocument, ListTrustDocument } from "../store/intel-documents.ts";
import type { AcrossAccounts } from "../store/store.ts";

export interface RunBlacklistsOptions {
  readonly store: Pick<AcrossAccounts, "blacklists">;
  readonly lists: readonly ListChoice[];
  readonly checkRound: CheckRound;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the process stops: no further round begins. */
  readonly signal: AbortSignal;
}

/** Maximum number of subjects per round. The others wait for the next turn. */
const PER_ROUND = 200;
/** Blacklists that are queried concurrently. */
const LISTS_AT_ONCE = 4;
/**
 * Duration of the hold on a blacklist. It is longer than any round, so a process that did not release the list by then has ended.
 */
const HOLD_MS = 10 * 60_000;
/** Interval at which the subjects of a blacklist are counted. */
const COUNT_MS = 10 * 60_000;
/** Maximum number of states per turn that are checked and removed if they are unused. */
const SWEPT_AT_ONCE = 1_000;
/** Maximum number of states per batch of reports. */
const UNTOLD_AT_ONCE = 100;

/**
 * Queries the blacklists once about subjects that are due:
 *
 * 1. One process at a time holds a blacklist. The query budget and the trust of the list pass on with it.
 * 2. Due subjects that no domain watches are removed.
 * 3. The blacklist is tested if a test is due, and queried about the remaining subjects.
 * 4. The results are stored, with a mark for those that are to be reported.
 * 5. The marked states are reported to the domains that watch the subject, including those that an ended process left behind.
 * 6. Some of all states are checked, also of blacklists that are not in use, and removed if no domain watches the subject.
 */
export function createRunBlacklists(options: RunBlacklistsOptions) {
  const { store, lists, checkRound, clock, log, signal } = options;
  const { blacklists } = store;
  const open = lists.filter(isOpen);
  const counts = new Map<string, { readonly subjects: number; readonly at: Date }>();
  /** Start of the next sweep. Only `sweep` changes it. */
  let sweptTo = "";
  /** Last warning for the operator, by blacklist. */
  const lastWords = new Map<string, string>();

  async function paceOf(list: OpenList, now: Date): Promise<Pace> {
    const { id } = list.list;
    const known = counts.get(id);
    const isFresh = known && now.getTime() - known.at.getTime() < COUNT_MS;
    const subjects = isFresh ? known.subjects : await blacklists.count(id);
    if (!isFresh) counts.set(id, { subjects, at: now });
    return planPace(list, subjects);
  }

  function say(listId: string, text: string | undefined): void {
    if (text === undefined || lastWords.get(listId) === text) return;
    lastWords.set(listId, text);
    log.warn({ list: listId }, text);
  }

  async function ask(list: OpenList, held: ListTrustDocument): Promise<void> {
    const { id } = list.list;
    const now = clock.now();
    const due = await blacklists.listDue(id, now, PER_ROUND);
    const keys = due.map(({ _id }) => _id);
    const watched = await blacklists.keepWatched(keys);
    const pace = await paceOf(list, now);
    say(id, pace.stretch);
    const allowance = allowanceAt(held.allowance, list.queriesPerDay, now);
    const byValue = new Map(due.filter(({ _id }) => watched.has(_id)).map((state) => [state.subject, state]));
    const subjects = [...byValue.values()].map(({ kind, subject }) => ({ kind, value: subject }));
    const maxQueries = Math.floor(allowance.queries);
    const result = await checkRound({ open: list, subjects, trust: held.trust, maxQueries });
    say(id, result.finding?.text);
    await blacklists.keep(statesAfter(byValue, result, { listId: id, pace }));
    await blacklists.release({
      _id: id,
      heldUntil: clock.now(),
      allowance: spend(allowance, result.queries),
      spent: spentAfter(held.spent, result.queries, now),
      periodMs: pace.periodMs,
      ...(result.trust && { trust: result.trust }),
    });
  }

  function statesAfter(
    byValue: ReadonlyMap<string, BlacklistStateDocument>,
    { checks }: RoundResult,
    { listId, pace }: { readonly listId: string; readonly pace: Pace },
  ): BlacklistStateDocument[] {
    const now = clock.now();
    return checks.flatMap(({ subject, check }) => {
      const before = byValue.get(subject.value);
      if (!before) return [];
      const { standing } = afterCheck({ listId, subject: subject.value }, before.standing, check);
      const state = shownState(standing, now) ?? "pending";
      const { untold: _, ...rest } = before;
      const isUntold = before.untold || before.state !== state || before.standing === undefined;
      const dueAt = nextCheckAt(standing, pace.periodMs, before._id, now);
      return [{ ...rest, standing, state, dueAt, ...(isUntold && { untold: true as const }) }];
    });
  }

  async function report(): Promise<void> {
    for (;;) {
      const untold = await blacklists.listUntold(UNTOLD_AT_ONCE);
      for (const state of untold) await blacklists.report(state, clock.now());
      if (untold.length < UNTOLD_AT_ONCE || signal.aborted) return;
    }
  }

  async function sweep(): Promise<void> {
    sweptTo = (await blacklists.sweep(sweptTo, SWEPT_AT_ONCE)) ?? "";
  }

  return async (): Promise<void> => {
    await report();
    await inParallel(open, LISTS_AT_ONCE, async (list) => {
      if (signal.aborted) return;
      const now = clock.now();
      if ((await blacklists.listDue(list.list.id, now, 1)).length === 0) return;
      const held = await blacklists.hold(list.list.id, now, new Date(now.getTime() + HOLD_MS));
      if (!held) return;
      try {
        await ask(list, held);
      } catch (error) {
        log.warn({ err: error, list: list.list.id }, "a blacklist could not be queried");
        // The rest of the budget is lost with the round, because the number of sent queries is unknown.
        const lost = Math.max(0, Math.floor(allowanceAt(held.allowance, list.queriesPerDay, now).queries));
        const spent = spentAfter(held.spent, lost, now);
        const allowance = { queries: 0, at: now };
        await blacklists.release({ ...held, allowance, spent, heldUntil: clock.now() });
      }
    });
    await report();
    await sweep();
  };
}

/** Queries of the day after a round. */
function spentAfter(before: ListTrustDocument["spent"], queries: number, now: Date) {
  const day = utcDay(now);
  return { day, queries: (before?.day === day ? before.queries : 0) + queries };
}
