import { setTimeout as sleep } from "node:timers/promises";
import { cancelledEvent } from "../../events/message-event.ts";
import type { Clock } from "../../shared/clock.ts";
import { isFinal } from "../../shared/message-state.ts";
import type { JobResultEntry } from "../../store/job-documents.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { Store } from "../../store/store.ts";
import type { RunningJob } from "../jobs/job-kind.ts";
import { type BulkAction, UNKNOWN } from "./bulk-action.ts";
import { OUT_OF_REACH_MS } from "./reach.ts";

/** How long the decisions of the partitions' owners are waited for, for all messages of a step together. */
const WAIT_MS = 10_000;
const ASK_MS = 200;

export interface CancelManyOptions {
  readonly store: Pick<Store, "forAccount">;
  readonly clock: Clock;
  /** How long cancelled messages are kept. */
  readonly retentionMs: number;
  readonly waitMs?: number;
}

type Entry = Omit<JobResultEntry, "item">;

/**
 * Withdraws messages as `createCancelMessage` does one, with a few writes for all of them. Which of them the job itself has
 * withdrawn is written in them: a step that is done again says the same of them as the first time.
 */
export function createCancelMany(options: CancelManyOptions): BulkAction {
  const { store, clock, retentionMs, waitMs = WAIT_MS } = options;

  const after = (ms: number) => new Date(clock.now().getTime() + ms);

  /** Out of the queue, and not finished: by this step, or by a process that has ended then. */
  const isWithdrawn = ({ cancelRequestedAt, nextAttemptAt }: MessageDocument) =>
    cancelRequestedAt !== undefined && nextAttemptAt === undefined;

  /** Event before state, as everywhere. */
  async function finish(accountId: string, withdrawn: readonly MessageDocument[]): Promise<void> {
    if (withdrawn.length === 0) return;
    const [at, expireAt] = [clock.now(), after(retentionMs)];
    const { events, queue, search } = store.forAccount(accountId);
    await search.add(withdrawn.map((message) => ({ ...message, state: "cancelled" })));
    await events.insertMissing(withdrawn.map((message) => cancelledEvent(message, at, expireAt)));
    await queue.cancelMany(withdrawn, { at, expireAt });
  }

  return {
    canAct: ({ state }) => !isFinal(state),

    act: async (job, ids) => {
      const { messages, queue } = store.forAccount(job.accountId);
      const results = new Map<string, Entry>();
      const untilMs = clock.monotonicMs() + waitMs;
      for (let open = ids, isAsked = false; ; isAsked = true) {
        job.signal.throwIfAborted();
        const found = new Map((await messages.findByIds(open)).map((one) => [one._id, one]));
        for (const id of open) {
          const message = found.get(id);
          const entry = message ? entryOf(job, message) : UNKNOWN;
          if (entry) results.set(id, entry);
        }
        const left = [...found.values()].filter(({ _id }) => !results.has(_id));
        open = left.map(({ _id }) => _id);
        if (open.length === 0) break;
        if (!isAsked) {
          await queue.withdrawMany(left, {
            at: clock.now(),
            jobId: job._id,
            dueAfter: after(OUT_OF_REACH_MS),
          });
          continue;
        }
        const withdrawn = left.filter(isWithdrawn);
        await finish(job.accountId, withdrawn);
        if (withdrawn.length > 0) continue;
        if (clock.monotonicMs() >= untilMs) {
          for (const { _id, state } of left) results.set(_id, pending(state));
          break;
        }
        await sleep(ASK_MS, undefined, { signal: job.signal });
      }
      return ids.map((item) => ({ item, ...(results.get(item) ?? UNKNOWN) }));
    },
  };
}

/** What has become of a message; undefined: nothing yet. */
function entryOf({ _id }: RunningJob, { state, cancelRequestedBy }: MessageDocument): Entry | undefined {
  if (state === "cancelled" && cancelRequestedBy === _id) return { outcome: "done" };
  if (!isFinal(state)) return undefined;
  const message = state === "cancelled" ? "The message was already cancelled." : `The message is ${state}.`;
  return { outcome: "skipped", code: "message.not_cancellable", message };
}

function pending(state: string): Entry {
  const message = `The message is still ${state}. It is cancelled unless an attempt in progress delivers it.`;
  return { outcome: "failed", code: "message.cancel_pending", message };
}
