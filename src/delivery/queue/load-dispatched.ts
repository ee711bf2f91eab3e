import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/logger.ts";
import { createNaturalBatch } from "../../shared/natural-batch.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { AcrossAccounts } from "../../store/store.ts";

export interface LoadDispatchedOptions {
  readonly messages: Pick<AcrossAccounts["messages"], "findByIds">;
  /** Accepts a due message, or leaves it to polling. */
  readonly receive: (message: MessageDocument) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Accepts the ids of messages that a core has dispatched. Never throws and never waits. */
export type LoadDispatched = (ids: readonly string[]) => void;

/** Ids in one query. */
const MAX_BATCH = 500;
const MAX_QUERIES = 2;
/** While the store is slow, more ids are left to polling. */
const MAX_WAITING = 10_000;

/** Loads messages by their ids, concurrent ones in one query, and passes them to the worker. */
export function createLoadDispatched({
  messages,
  receive,
  clock,
  log,
}: LoadDispatchedOptions): LoadDispatched {
  let waiting = 0;
  const batch = createNaturalBatch<string, void>({
    run: async (ids) => {
      const now = clock.now();
      for (const message of await messages.findByIds(ids)) if (isFresh(message, now)) receive(message);
      return ids.map(() => ({ ok: true, value: undefined }));
    },
    maxItems: MAX_BATCH,
    maxSize: Number.POSITIVE_INFINITY,
    sizeOf: () => 1,
    maxConcurrent: MAX_QUERIES,
  });

  async function load(id: string): Promise<void> {
    waiting++;
    try {
      await batch.submit(id);
    } catch (error) {
      log.debug({ err: error, message: id }, "left to polling");
    } finally {
      waiting--;
    }
  }

  return (ids) => {
    for (const id of ids.slice(0, Math.max(0, MAX_WAITING - waiting))) void load(id);
  };
}

/** True if it still waits for its first attempt, which is due, and no client wants it back. */
function isFresh(message: MessageDocument, now: Date): boolean {
  const { state, createdAt, nextAttemptAt, cancelRequestedAt } = message;
  if (state !== "queued" || nextAttemptAt === undefined || cancelRequestedAt !== undefined) return false;
  // A message that was due at its acceptance is due now, regardless of the clock of that core.
  return nextAttemptAt <= createdAt || nextAttemptAt <= now;
}
