// Results of attempts wait up to 15 ms for others: no client waits for them, and a single write costs as much as thirty.

import type { StoreNotices } from "../../notices/store-notices.ts";
import { systemAudit } from "../../shared/audit.ts";
import { createNaturalBatch, type Settled } from "../../shared/natural-batch.ts";
import { countedAttempts, type MessageTransition } from "../../store/queue-store.ts";
import { isIndexedState } from "../../store/search/terms.ts";
import type { Store } from "../../store/store.ts";
import { isStoreAway } from "../../store/store-fault.ts";
import type { AttemptResult } from "../attempt-result.ts";

/** An attempt, and the epoch of the lease under which it was made. */
export interface FencedResult extends AttemptResult {
  readonly transition: MessageTransition;
}

/** State of a message in the store after writing the end of an attempt. */
export interface Recorded {
  /** false: the message has moved on, or has a later owner; nothing was changed. */
  readonly applied: boolean;
  /** Number of its counted attempts; infinity: it does not exist. */
  readonly attempts: number;
  /** It waits for its next attempt as if this one had not been made. */
  readonly isUnchanged?: boolean;
}

export interface RecordResults {
  /**
   * Writes the end of an attempt; concurrent calls share the round trips.
   * @throws Fault store.unavailable: a retry is safe
   */
  record(result: FencedResult): Promise<Recorded>;
}

export interface RecordResultsOptions {
  readonly store: Pick<Store, "forAccount" | "acrossAccounts">;
  readonly storeNotices: StoreNotices;
}

/**
 * Writes suppressions first, with their search data and journal, then notices, then events and states in one command: a crash in
 * between leads to a repetition with the same ids of suppression, notice and event, and never to a loss.
 */
export function createRecordResults({ store, storeNotices }: RecordResultsOptions): RecordResults {
  const { events, messages, queue, search } = store.acrossAccounts;
  const batch = createNaturalBatch<FencedResult, Recorded>({
    run: async (results) => {
      try {
        return (await together(results)).map((value) => ({ ok: true, value }));
      } catch (error) {
        if (results.length === 1 || isStoreAway(error)) throw error;
        // A problem with one of them must not affect the others.
        return Promise.all(results.map(alone));
      }
    },
    maxItems: 500,
    maxSize: Number.POSITIVE_INFINITY,
    sizeOf: () => 1,
    maxConcurrent: 2,
    enoughItems: 100,
    // No attempt waits for it; but unrecorded results are sent again when the process dies.
    gatherMs: 15,
    gathersAlways: true,
  });

  async function together(results: readonly FencedResult[]): Promise<Recorded[]> {
    const happened = results.map(({ event }) => event);
    const transitions = results.map(({ transition }) => transition);
    const notices = results.flatMap(({ notice }) => notice ?? []);
    const announced = events.announce(happened);
    try {
      await Promise.all([announced.written, makeFindable(results), ...results.map(suppress)]);
      if (notices.length > 0) await storeNotices(notices);
      const matched = await queue.applyWithEvents(transitions, happened, announced);
      return matched === transitions.length ? transitions.map(applied) : await readStates(transitions);
    } finally {
      announced.settle(() => false);
    }
  }

  /** By the states and categories with few messages: a filter on one of the others finds these messages without a check. */
  async function makeFindable(results: readonly FencedResult[]): Promise<void> {
    const changed = results.flatMap(({ message, transition: { to: state, category } }) =>
      isIndexedState(state) ? { ...message, state, ...(category !== undefined && { category }) } : [],
    );
    await search.add(changed);
  }

  async function suppress({ suppression: entry, event }: FencedResult): Promise<void> {
    if (!entry) return;
    const audit = systemAudit("suppression.bounce", event.traceId, entry.createdAt);
    await store.forAccount(entry.accountId).suppressions.add(entry, audit);
  }

  async function alone(result: FencedResult): Promise<Settled<Recorded>> {
    try {
      const [value] = (await together([result])) as [Recorded];
      return { ok: true, value };
    } catch (error) {
      return { ok: false, error };
    }
  }

  /** Some were refused or had been written before; the messages show which ones. */
  async function readStates(transitions: readonly MessageTransition[]): Promise<Recorded[]> {
    const ids = transitions.map(({ messageId }) => messageId);
    const found = new Map((await messages.findByIds(ids)).map((message) => [message._id, message]));
    return transitions.map((transition) => {
      const message = found.get(transition.messageId);
      const { attempts } = applied(transition);
      if (message?.state === transition.to && message.attempts === attempts) return applied(transition);
      const counted = message?.attempts ?? Number.POSITIVE_INFINITY;
      const isUnchanged = message?.nextAttemptAt !== undefined && counted < transition.attempts;
      return { applied: false, attempts: counted, ...(isUnchanged && { isUnchanged }) };
    });
  }

  return { record: (result) => batch.submit(result) };
}

function applied(transition: MessageTransition): Recorded {
  return { applied: true, attempts: countedAttempts(transition) };
}
