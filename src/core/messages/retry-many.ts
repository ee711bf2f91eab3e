import type { Clock } from "../../shared/clock.ts";
import type { MessageState } from "../../shared/message-state.ts";
import type { JobResultEntry } from "../../store/job-documents.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { Store } from "../../store/store.ts";
import { type BulkAction, UNKNOWN } from "./bulk-action.ts";
import { OUT_OF_REACH_MS } from "./reach.ts";
import { whyNotRetried } from "./retry-message.ts";

type Entry = Omit<JobResultEntry, "item">;

export interface RetryManyOptions {
  readonly store: Pick<Store, "forAccount">;
  readonly clock: Clock;
}

/**
 * Has deferred messages tried at once, as `createRetryMessage` does one, with one write for all of them. Which the job itself has
 * made due is written in them: a step that is done again makes none due a second time, and says the same of them.
 */
export function createRetryMany({ store, clock }: RetryManyOptions): BulkAction {
  return {
    canAct: (message) => whyNotRetried(message) === undefined,

    act: async (job, ids) => {
      const { messages, queue } = store.forAccount(job.accountId);
      const at = clock.now();
      const before = await messages.findByIds(ids);
      const dueAfter = new Date(at.getTime() + OUT_OF_REACH_MS);
      await queue.retryMany(before, { at, dueAfter, jobId: job._id });
      const found = new Map((await messages.findByIds(ids)).map((one) => [one._id, one]));
      return ids.map((item) => {
        const message = found.get(item);
        return { item, ...(message ? entryOf(job._id, message) : UNKNOWN) };
      });
    },
  };
}

function entryOf(jobId: string, message: MessageDocument): Entry {
  if (message.retriedBy === jobId) return { outcome: "done" };
  const reason = whyNotRetried(message);
  if (reason !== undefined)
    return { outcome: "skipped", code: "message.not_retryable", message: resultOf(reason, message.state) };
  return {
    outcome: "skipped",
    code: "message.due",
    message: "The message is already due, or an attempt is in progress.",
  };
}

function resultOf(reason: NonNullable<ReturnType<typeof whyNotRetried>>, state: MessageState): string {
  if (reason === "being_withdrawn") return "The message is being cancelled.";
  if (reason === "not_tried_yet") return "The message is scheduled and was not tried yet.";
  return `The message is ${state}, so no further attempt follows.`;
}
