import { cancelledEvent } from "../../events/message-event.ts";
import type { Partitions } from "../../leases/partitions.ts";
import type { Clock } from "../../shared/clock.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { AcrossAccounts } from "../../store/store.ts";
import type { Backlog } from "./backlog.ts";
import type { Pending } from "./pending.ts";
import type { Quarantine } from "./quarantine.ts";
import type { UnderWay } from "./under-way.ts";

export interface WithdrawOptions {
  readonly store: Pick<AcrossAccounts, "queue" | "events" | "search">;
  readonly clock: Clock;
  /** Retention of withdrawn messages. */
  readonly retentionMs: number;
}

/**
 * Withdraws messages of leased partitions without an attempt in progress, and then writes the events: an event must not report
 * something that did not happen. A few writes serve all of them.
 * @param epoch of the leases
 * @returns the number of withdrawn messages; the others have ended or have a later owner
 * @throws Fault store.unavailable: a retry is safe
 */
export type Withdraw = (messages: readonly MessageDocument[], epoch: number) => Promise<number>;

export function createWithdraw({ store, clock, retentionMs }: WithdrawOptions): Withdraw {
  return async (messages, epoch) => {
    const ids = await store.queue.withdraw(messages, epoch);
    const withdrawn = messages.filter(({ _id }) => ids.has(_id));
    if (withdrawn.length === 0) return 0;
    const at = clock.now();
    const expireAt = new Date(at.getTime() + retentionMs);
    await store.search.add(withdrawn.map((message) => ({ ...message, state: "cancelled" })));
    await store.events.insertMissing(withdrawn.map((message) => cancelledEvent(message, at, expireAt)));
    return store.queue.cancel(withdrawn, { at, expireAt }, epoch);
  };
}

export interface WithdrawalsOptions {
  readonly queue: Pick<AcrossAccounts["queue"], "findCancelRequests">;
  readonly partitions: Partitions;
  readonly backlog: Backlog;
  readonly pending: Pending;
  readonly underWay: UnderWay;
  readonly quarantine: Quarantine;
  readonly withdraw: Withdraw;
  readonly clock: Clock;
}

/** Messages per write. */
const MAX_WITHDRAWALS = 500;

/**
 * Withdraws the messages that a client wants back and that are not in progress: only the owner of their partitions knows. It
 * continues while a read is full; reading the queue does not wait for it.
 * @throws Fault store.unavailable
 */
export function createWithdrawals(options: WithdrawalsOptions): () => Promise<void> {
  const { queue, partitions, backlog, pending, underWay, quarantine, withdraw, clock } = options;

  /** Withdraws messages of leases with the same epoch. */
  async function withdrawOf(epoch: number, messages: readonly MessageDocument[]): Promise<number> {
    for (const { _id: id } of messages) {
      backlog.remove(id);
      pending.leave(id);
      pending.settle(id, epoch, Number.POSITIVE_INFINITY);
    }
    try {
      return await withdraw(messages, epoch);
    } catch (error) {
      for (const { _id: id, attempts } of messages) pending.settle(id, epoch, attempts);
      throw error;
    }
  }

  /** @returns the numbers of withdrawn and of found messages */
  async function step(): Promise<{ readonly found: number; readonly withdrawn: number }> {
    const { documents, unreadable } = await queue.findCancelRequests(partitions.held(), MAX_WITHDRAWALS);
    await quarantine(unreadable);
    const now = clock.now();
    const byEpoch = new Map<number, MessageDocument[]>();
    for (const message of documents) {
      const lease = partitions.lease(message.partition);
      if (!lease || underWay.has(message._id) || isHidden(message, now)) continue;
      const others = byEpoch.get(lease.epoch);
      if (others) others.push(message);
      else byEpoch.set(lease.epoch, [message]);
    }
    let withdrawn = 0;
    for (const [epoch, messages] of byEpoch) {
      // During the wait, an attempt of some may have begun.
      const idle = messages.filter(({ _id }) => !underWay.has(_id));
      if (idle.length > 0) withdrawn += await withdrawOf(epoch, idle);
    }
    return { found: documents.length + unreadable.length, withdrawn };
  }

  return async () => {
    for (;;) {
      const { found, withdrawn } = await step();
      if (found < MAX_WITHDRAWALS || withdrawn === 0) return;
    }
  };
}

/** In progress at an owner that has given up its partition. */
function isHidden({ held, nextAttemptAt }: MessageDocument, now: Date): boolean {
  return held === true && nextAttemptAt !== undefined && nextAttemptAt > now;
}
