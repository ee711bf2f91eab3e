// The search index finds the messages quickly, but the proof relies on a pass through every message of the account. An
// erasure cannot fail or be cancelled: half of one is useless.

import { systemAudit } from "../../shared/audit.ts";
import type { Clock } from "../../shared/clock.ts";
import { Fault } from "../../shared/fault.ts";
import type { Logger } from "../../shared/logger.ts";
import type { OpenErasure } from "../../store/erasure-document.ts";
import type { AcrossAccounts } from "../../store/store.ts";

/** No worker holds a message that is due only after this time; longer than clocks differ. */
const OUT_OF_REACH_MS = 5_000;
/** Messages that were accepted before the erasure are stored by then, and requests about them have ended. */
const GRACE_MS = 60_000;
/** Time for which a process owns an erasure; after it, another process can take it. */
const HOLD_MS = 60_000;
/** Pause between two runs of an erasure that waits for workers or for time. */
const AGAIN_MS = 5_000;
/** A pass that has found data is repeated to verify that nothing is left. */
const WALKS_MAX = 5;

export interface ErasuresOptions {
  readonly store: { readonly acrossAccounts: Pick<AcrossAccounts, "erasures"> };
  readonly clock: Clock;
  readonly log: Logger;
  /** Retention time of a proof. */
  readonly proofMs: number;
  /** Aborted: running work stops at its next page, and another process starts it again. */
  readonly signal: AbortSignal;
}

/**
 * Carries out erasures, step by step:
 *
 * 1. messages in the search index, with notices about them; a worker that holds a message cancels it first
 * 2. a pass over all messages of the account, when no earlier data can be added: it removes messages that the index
 *    did not contain, and makes the erasure wait again
 * 3. captured mail, quarantine notes, jobs about the messages, suppressions, and the address in the logs
 * 4. the search index
 * 5. the proof, which completes the erasure
 *
 * Each run starts from the beginning, and removed data is not found again; a crash costs only its pass.
 */
export function createErasures({ store, clock, log, proofMs, signal }: ErasuresOptions) {
  const { erasures } = store.acrossAccounts;

  /** Processes all pages. */
  async function walk<P extends { readonly before: string | undefined }>(
    erasure: OpenErasure,
    read: (before: string | undefined) => Promise<P>,
    onPage: (page: P) => void = () => undefined,
  ): Promise<void> {
    let heldAt = clock.now().getTime();
    let before: string | undefined;
    do {
      signal.throwIfAborted();
      const page = await read(before);
      onPage(page);
      before = page.before;
      const now = clock.now().getTime();
      if (now - heldAt < HOLD_MS / 4) continue;
      heldAt = now;
      await erasures.hold(erasure, new Date(now + HOLD_MS));
    } while (before !== undefined);
  }

  /** Repeats a pass until it finds nothing; undefined: new data appears again and again. */
  async function walkUntilNothing(
    erasure: OpenErasure,
    read: (before: string | undefined) => Promise<{
      readonly count: number;
      readonly found: number;
      readonly before: string | undefined;
    }>,
  ): Promise<number | undefined> {
    for (let round = 0; round < WALKS_MAX; round++) {
      let [count, found] = [0, 0];
      await walk(erasure, read, (page) => {
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

  /** @returns number of messages that workers still hold; undefined: the erasure is complete */
  async function carryOut(erasure: OpenErasure): Promise<number | undefined> {
    let waiting = 0;
    const removeFound = (before: string | undefined) => erasures.removeFound(erasure, before, reach());
    await walk(erasure, removeFound, (page) => {
      waiting += page.waiting;
    });
    const ageMs = clock.now().getTime() - erasure.requestedAt.getTime();
    if (waiting > 0 || ageMs < GRACE_MS) return waiting;

    const seen = { messages: 0, found: 0, mentions: 0 };
    const readMessages = (before: string | undefined) => erasures.readMessages(erasure, before, reach());
    await walk(erasure, readMessages, (page) => {
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
    await erasures.removeEvents(erasure);
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

  /** @throws Fault store.unavailable, and errors that end the process */
  async function runOnce(erasure: OpenErasure): Promise<void> {
    const { _id: id, accountId } = erasure;
    let waiting: number | undefined;
    try {
      waiting = await carryOut(erasure);
    } catch (error) {
      if (signal.aborted || (error instanceof Fault && error.code === "store.unavailable")) throw error;
      // An error in one erasure does not stop the others.
      log.error({ err: error, erasure: id, accountId }, "an erasure failed and is retried");
      await erasures.hold(erasure, new Date(clock.now().getTime() + HOLD_MS));
      return;
    }
    if (waiting === undefined) log.info({ erasure: id, accountId }, "a recipient was erased");
    else await erasures.hold(erasure, new Date(clock.now().getTime() + AGAIN_MS), waiting);
  }

  /** One run over all erasures. */
  return async (): Promise<void> => {
    while (!signal.aborted) {
      const now = clock.now();
      const erasure = await erasures.claim(now, new Date(now.getTime() + HOLD_MS));
      if (!erasure) return;
      await runOnce(erasure);
    }
  };
}
