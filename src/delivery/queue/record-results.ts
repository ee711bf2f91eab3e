import { createNaturalBatch } from "../../shared/natural-batch.ts";
import type { MessageTransition } from "../../store/queue-store.ts";
import type { Store } from "../../store/store.ts";
import type { AttemptResult } from "../deliver.ts";
import type { StoreNotices } from "../notices/store-notices.ts";

/** An attempt, and the epoch of the lease under which it was made. */
export interface FencedResult extends AttemptResult {
  readonly transition: MessageTransition;
}

export interface RecordResults {
  /**
   * Writes the end of an attempt; concurrent ones share the round trips.
   * @throws Fault store.unavailable: writing it again is safe
   */
  record(result: FencedResult): Promise<void>;
}

export interface RecordResultsOptions {
  readonly store: Pick<Store, "events" | "queue" | "suppressions">;
  readonly storeNotices: StoreNotices;
}

/**
 * Addresses are suppressed first, events and notices are written before states: a crash in between repeats what is
 * there already, the suppression, the event and the notice of the same id, and never loses it.
 */
export function createRecordResults({ store, storeNotices }: RecordResultsOptions): RecordResults {
  const batch = createNaturalBatch<FencedResult, void>({
    run: async (results) => {
      const suppressions = results.flatMap(({ suppression }) => suppression ?? []);
      await Promise.all(suppressions.map(store.suppressions.add));
      await store.events.insertMissing(results.map(({ event }) => event));
      await storeNotices(results.flatMap(({ notice }) => notice ?? []));
      await store.queue.applyTransitions(results.map(({ transition }) => transition));
      return results.map(() => ({ ok: true, value: undefined }));
    },
    maxItems: 500,
    maxSize: Number.POSITIVE_INFINITY,
    sizeOf: () => 1,
    maxConcurrent: 2,
    enoughItems: 100,
    // Nobody waits for it; but what is not written yet when the process dies is sent again.
    gatherMs: 15,
  });
  return { record: (result) => batch.submit(result) };
}
