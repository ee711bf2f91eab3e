import { cancelledEvent } from "../../events/message-event.ts";
import type { Lease } from "../../leases/partitions.ts";
import type { Clock } from "../../shared/clock.ts";
import type { MessageDocument } from "../../store/documents.ts";
import type { Store } from "../../store/store.ts";

export interface WithdrawOptions {
  readonly store: Pick<Store, "queue" | "events">;
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
    if (!(await store.queue.withdraw(message._id, epoch))) return;
    const at = clock.now();
    const expireAt = new Date(at.getTime() + retentionMs);
    await store.events.insertMissing([cancelledEvent(message, at, expireAt)]);
    await store.queue.cancel([message._id], { at, expireAt, epoch });
  };
}
