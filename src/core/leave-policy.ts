import { messageEvent } from "../events/message-event.ts";
import { addressKey } from "../message/address/address-key.ts";
import type { Subscription } from "../message/unsubscribe/token.ts";
import type { Audit } from "../shared/audit.ts";
import type { Clock } from "../shared/clock.ts";
import type { Store } from "../store/store.ts";

export interface LeavePolicyOptions {
  readonly store: Pick<Store, "forAccount">;
  readonly clock: Clock;
  /** Retention time of events. */
  readonly retentionMs: number;
}

/**
 * Suppresses mail of one policy to one recipient. Other mail, such as a receipt or a new password, is not affected.
 */
export function createLeavePolicy({ store, clock, retentionMs }: LeavePolicyOptions) {
  return async (subscription: Subscription, audit: Audit): Promise<void> => {
    const { accountId, policy, recipient, messageId } = subscription;
    const at = clock.now();
    const [message] = await store.forAccount(accountId).messages.findByIds([messageId]);
    // The event is stored before its effects: a repetition for the same message stores no second event.
    if (message) {
      const expireAt = new Date(at.getTime() + retentionMs);
      const facts = { kind: "unsubscribed", attempt: 0, at, expireAt, reply: { detail: "" } } as const;
      await store.forAccount(accountId).events.insertMissing([messageEvent(message, facts)]);
    }
    const entry = {
      addressKey: addressKey(recipient),
      address: recipient,
      reason: "unsubscribe",
      policy,
      messageId,
      createdAt: at,
    } as const;
    const actor = { kind: "recipient", id: entry.addressKey, name: recipient } as const;
    await store.forAccount(accountId).suppressions.add(entry, { ...audit, actor });
  };
}
