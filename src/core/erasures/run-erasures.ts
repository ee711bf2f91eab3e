import { systemAudit } from "../../shared/audit.ts";
import type { Clock } from "../../shared/clock.ts";
import { Fault } from "../../shared/fault.ts";
import type { Logger } from "../../shared/logger.ts";
import type { OpenErasure } from "../../store/erasure-document.ts";
import type { AcrossAccounts } from "../../store/store.ts";

/** Nobody has a message in hand that is due only after this; more than clocks differ. */
const OUT_OF_REACH_MS = 5_000;
/** What was accepted before the erasure is stored by then, and what was said of it elsewhere is over. */
const GRACE_MS = 60_000;
/** A process that works on an erasure has it for so long; it is another one's then. */
const HOLD_MS = 60_000;
/** Between two turns of one that waits for workers, or for time. */
const AGAIN_MS = 5_000;
/** A walk that has found something is made again, to see that nothing is left. */
const WALKS_MAX = 5;

export interface ErasuresOptions {
  readonly store: { readonly acrossAccounts: Pick<AcrossAccounts, "erasures"> };
  readonly clock: Clock;
  readonly log: Logger;
  /** How long a proof is kept. */
  readonly proofMs: number;
  /** Aborted: what is under way stops at its next page, and is begun anew elsewhere. */
  readonly signal: AbortSignal;
}

/**
 * Carries out erasures, step by step:
 *
 * 1. messages that the index finds, with notices about them; those that wait are withdrawn by their worker before
 * 2. a walk through all messages of the account, once nothing of before can come any more: it removes what the index did not
 *    know, and makes the erasure wait again
 * 3. captured mail, notes of quarantine, jobs that were about them, suppressions, and the address in the logs
 * 4. the index of searches
 * 5. the proof, which closes it
 *
 * Each turn begins anew and finds nothing of what is removed; a crash costs no more than its walk.
 */
export function createErasures({ store, clock, log, proofMs, signal }: ErasuresOptions) {
  const { erasures } = store.acrossAccounts;

  /** Goes through all pages of something. */
  async function walk<P extends { readonly before: string | undefined }>(
    erasure: OpenErasure,
    look: (before: string | undefined) => Promise<P>,
    onPage: (page: P) => void = () => undefined,
  ): Promise<void> {
    let heldAt = clock.now().getTime();
    let before: string | undefined;
    do {
      signal.throwIfAborted();
      const page = await look(before);
      onPage(page);
      before = page.before;
      const now = clock.now().getTime();
      if (now - heldAt < HOLD_MS / 4) continue;
      heldAt = now;
      await erasures.hold(erasure, new Date(now + HOLD_MS));
    } while (before !== undefined);
  }

  /** Until a walk finds nothing; undefined: something new comes again and again. */
  async function walkUntilNothing(
    erasure: OpenErasure,
    look: (before: string | undefined) => Promise<{
      readonly count: number;
      readonly found: number;
      readonly before: string | undefined;
    }>,
  ): Promise<number | undefined> {
    for (let round = 0; round < WALKS_MAX; round++) {
      let [count, found] = [0, 0];
      await walk(erasure, look, (page) => {
        count += page.count;
        found += page.found;
      });
      if (found === 0) return count;
    }
    return undefined;
  }

  const reach = () => {
    const now = clock.now();
    return { now, reachable: new Date(now.getTime() + OUT_OF_REACH_MS) };
  };

  /** @returns how many messages their workers have still to give up; undefined: it is over */
  async function carryOut(erasure: OpenErasure): Promise<number | undefined> {
    let waiting = 0;
    const removeFound = (before: string | undefined) => erasures.removeFound(erasure, before, reach());
    await walk(erasure, removeFound, (page) => {
      waiting += page.waiting;
    });
    const ageMs = clock.now().getTime() - erasure.requestedAt.getTime();
    if (waiting > 0 || ageMs < GRACE_MS) return waiting;

    const seen = { messages: 0, found: 0, mentions: 0 };
    const lookAtMessages = (before: string | undefined) => erasures.lookAtMessages(erasure, before, reach());
    await walk(erasure, lookAtMessages, (page) => {
      seen.messages += page.count;
      seen.found += page.found;
      seen.mentions += page.mentions;
      waiting += page.waiting;
    });
    if (seen.found > 0) return waiting;

    const captured = await walkUntilNothing(erasure, (before) => erasures.removeCaptured(erasure, before));
    await erasures.removeNotes(erasure);
    await erasures.removeJobs(erasure);
    const suppressions = await erasures.removeSuppressions(erasure);
    await erasures.removeTold(erasure);
    const auditEntries = await walkUntilNothing(erasure, (before) => erasures.eraseFromLog(erasure, before));
    await walk(erasure, (before) => erasures.eraseFromRequests(erasure, before));
    if (captured === undefined || auditEntries === undefined) return 0;
    if (!(await erasures.forgetInIndex(erasure, clock.now()))) return 0;

    const finishedAt = clock.now();
    const end = {
      finishedAt,
      expireAt: new Date(finishedAt.getTime() + proofMs),
      look: { at: finishedAt, messages: seen.messages, captured, auditEntries },
      left: { mentions: seen.mentions, suppressions },
    };
    await erasures.finish(erasure, end, systemAudit("erasure.finish", "", finishedAt));
    return undefined;
  }

  /** @throws Fault store.unavailable, and whatever ends the process's work */
  async function turn(erasure: OpenErasure): Promise<void> {
    const { _id: id, accountId } = erasure;
    let waiting: number | undefined;
    try {
      waiting = await carryOut(erasure);
    } catch (error) {
      if (signal.aborted || (error instanceof Fault && error.code === "store.unavailable")) throw error;
      // What is wrong with one of them keeps no other from going.
      log.error({ err: error, erasure: id, accountId }, "an erasure failed and is retried");
      await erasures.hold(erasure, new Date(clock.now().getTime() + HOLD_MS));
      return;
    }
    if (waiting === undefined) log.info({ erasure: id, accountId }, "a recipient was erased");
    else await erasures.hold(erasure, new Date(clock.now().getTime() + AGAIN_MS), waiting);
  }

  /** One turn of each of them. */
  return async (): Promise<void> => {
    while (!signal.aborted) {
      const now = clock.now();
      const erasure = await erasures.claim(now, new Date(now.getTime() + HOLD_MS));
      if (!erasure) return;
      await turn(erasure);
    }
  };
}
