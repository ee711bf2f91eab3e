import type { Clock } from "../shared/clock.ts";
import { cancelledEvent } from "../store/cancelled-event.ts";
import type { MessageDocument } from "../store/documents.ts";
import type { Store } from "../store/store.ts";
import type { Lease } from "./partitions.ts";

export interface WithdrawOptions {
  readonly store: Pick<Store, "queue" | "events">;
  readonly clock: Clock;
  /** How long withdrawn messages are kept. */
  readonly retentionMs: number;
}

/**
 * Writes that messages of a leased partition are withdrawn, of which none is under way.
 * @throws Fault store.unavailable: doing it again is safe
 */
export type Withdraw = (messages: readonly MessageDocument[], lease: Lease) => Promise<void>;

export function createWithdraw({ store, clock, retentionMs }: WithdrawOptions): Withdraw {
  return async (messages, { epoch }) => {
    const at = clock.now();
    const expireAt = new Date(at.getTime() + retentionMs);
    await store.events.insertMissing(messages.map((message) => cancelledEvent(message, at, expireAt)));
    const ids = messages.map(({ _id }) => _id);
    await store.queue.cancel(ids, { at, expireAt, epoch });
  };
}
