import { afterLook, shownState } from "../intel/blacklists/listing.ts";
import type { LookRound, RoundResult } from "../intel/blacklists/look-round.ts";
import { isOpen, type ListChoice, type OpenList } from "../intel/blacklists/open-lists.ts";
import { allowanceAt, nextLookAt, type Pace, planPace, spend } from "../intel/blacklists/pace.ts";
import type { Clock } from "../shared/clock.ts";
import { inLanes } from "../shared/in-lanes.ts";
import type { Logger } from "../shared/logger.ts";
import type { BlacklistStateDocument, ListTrustDocument } from "../store/intel-documents.ts";
import type { AcrossAccounts } from "../store/store.ts";

export interface RunBlacklistsOptions {
  readonly store: Pick<AcrossAccounts, "blacklists">;
  readonly lists: readonly ListChoice[];
  readonly lookRound: LookRound;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the process is told to end: no further round begins. */
  readonly signal: AbortSignal;
}

/** Subjects of one round: what is due beyond them waits for the next turn. */
const PER_ROUND = 200;
/** Lists that are asked at once. */
const LISTS_AT_ONCE = 4;
/** Whoever has a list and has not given it back by then has ended; longer than any round may take. */
const HOLD_MS = 10 * 60_000;
/** How often it is counted how many subjects a list has. */
const COUNT_MS = 10 * 60_000;
/** States of one turn that are let go of if nobody watches them. */
const SWEPT_AT_ONCE = 1_000;
/** Told of at once. */
const UNTOLD_AT_ONCE = 100;

/**
 * One turn of asking blacklists about subjects that are due:
 *
 * 1. of each list one process has the turn; its budget, and whether it is believed, pass on with it
 * 2. subjects that are due and that nobody watches any more are let go
 * 3. the list is tested where that is due, and asked about the others
 * 4. what the looks have told is stored, with who is to be told of it
 * 5. whoever watches a subject is told of its state, also of one that a process that has ended could not tell of
 * 6. some of all states, also of lists that are not asked, are let go of where nobody watches them
 */
export function createRunBlacklists(options: RunBlacklistsOptions) {
  const { store, lists, lookRound, clock, log, signal } = options;
  const { blacklists } = store;
  const open = lists.filter(isOpen);
  const counts = new Map<string, { readonly subjects: number; readonly at: Date }>();
  /** Where the next sweep begins. Changed by `sweep` alone. */
  let sweptTo = "";
  /** What the operator was told of a list last. */
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
    const result = await lookRound({ open: list, subjects, trust: held.trust, maxQueries });
    say(id, result.finding?.text);
    await blacklists.keep(statesAfter(byValue, result, { listId: id, pace }));
    await blacklists.release({
      _id: id,
      heldUntil: clock.now(),
      allowance: spend(allowance, result.queries),
      ...(result.trust && { trust: result.trust }),
    });
  }

  function statesAfter(
    byValue: ReadonlyMap<string, BlacklistStateDocument>,
    { looks }: RoundResult,
    { listId, pace }: { readonly listId: string; readonly pace: Pace },
  ): BlacklistStateDocument[] {
    const now = clock.now();
    return looks.flatMap(({ subject, look }) => {
      const before = byValue.get(subject.value);
      if (!before) return [];
      const { standing } = afterLook({ listId, subject: subject.value }, before.standing, look);
      const state = shownState(standing, now) ?? "pending";
      const { untold: _, ...rest } = before;
      const isUntold = before.untold || before.state !== state || before.standing === undefined;
      const dueAt = nextLookAt(standing, pace.periodMs, before._id, now);
      return [{ ...rest, standing, state, dueAt, ...(isUntold && { untold: true as const }) }];
    });
  }

  async function tell(): Promise<void> {
    for (;;) {
      const untold = await blacklists.listUntold(UNTOLD_AT_ONCE);
      for (const state of untold) await blacklists.tell(state, clock.now());
      if (untold.length < UNTOLD_AT_ONCE || signal.aborted) return;
    }
  }

  async function sweep(): Promise<void> {
    sweptTo = (await blacklists.sweep(sweptTo, SWEPT_AT_ONCE)) ?? "";
  }

  return async (): Promise<void> => {
    await tell();
    await inLanes(open, LISTS_AT_ONCE, async (list) => {
      if (signal.aborted) return;
      const now = clock.now();
      if ((await blacklists.listDue(list.list.id, now, 1)).length === 0) return;
      const held = await blacklists.hold(list.list.id, now, new Date(now.getTime() + HOLD_MS));
      if (!held) return;
      try {
        await ask(list, held);
      } catch (error) {
        log.warn({ err: error, list: list.list.id }, "a blacklist could not be asked");
        // What was left of the budget is lost with the round: nobody knows how much of it was spent.
        await blacklists.release({ ...held, allowance: { queries: 0, at: now }, heldUntil: clock.now() });
      }
    });
    await tell();
    await sweep();
  };
}
