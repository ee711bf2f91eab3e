import { cancelledEvent } from "../../events/message-event.ts";
import type { Lease, Partitions } from "../../leases/partitions.ts";
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
  /** How long withdrawn messages are kept. */
  readonly retentionMs: number;
}

/**
 * Takes a message of a leased partition out of the queue, of which no attempt is under way, and then says so: an event
 * must not tell of what did not come about.
 * @throws Fault store.unavailable: doing it again is safe
 */
export type Withdraw = (message: MessageDocument, lease: Lease) => Promise<void>;

export function createWithdraw({ store, clock, retentionMs }: WithdrawOptions): Withdraw {
  return async (message, { epoch }) => {
    if (!(await store.queue.withdraw(message, epoch))) return;
    const at = clock.now();
    const expireAt = new Date(at.getTime() + retentionMs);
    await store.search.add([{ ...message, state: "cancelled" }]);
    await store.events.insertMissing([cancelledEvent(message, at, expireAt)]);
    await store.queue.cancel([message], { at, expireAt }, epoch);
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
}

const MAX_WITHDRAWALS = 500;

/**
 * Withdraws the messages that somebody wants back and that are not under way: the owner of their partitions alone can
 * tell.
 * @throws Fault store.unavailable
 */
export function createWithdrawals(options: WithdrawalsOptions): () => Promise<void> {
  const { queue, partitions, backlog, pending, underWay, quarantine, withdraw } = options;
  return async () => {
    const requests = await queue.findCancelRequests(partitions.held(), MAX_WITHDRAWALS);
    await quarantine(requests.unreadable);
    for (const message of requests.documents) {
      const { _id: id, attempts } = message;
      const lease = partitions.lease(message.partition);
      if (!lease || message.held || underWay.has(id)) continue;
      backlog.remove(id);
      pending.leave(id);
      pending.settle(id, lease.epoch, Number.POSITIVE_INFINITY);
      await withdraw(message, lease).catch((error) => {
        pending.settle(id, lease.epoch, attempts);
        throw error;
      });
    }
  };
}
