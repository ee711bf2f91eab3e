import type { AcrossAccounts } from "../store/store.ts";
import type { WebhookDeliveryDocument } from "../store/webhook-delivery-documents.ts";
import type { WaitingDelivery } from "../store/webhook-order.ts";

type Deliveries = Pick<AcrossAccounts["webhookDeliveries"], "waitingOf" | "postpone">;

/**
 * Selects the deliveries that are next for an endpoint with ordered events: those without an earlier waiting event of the same
 * message. A delivery behind one that is retried later is postponed until then, so that it does not block others.
 * @throws Fault store.unavailable
 */
export async function keepOrder(
  deliveries: Deliveries,
  due: readonly WebhookDeliveryDocument[],
  now: Date,
): Promise<readonly WebhookDeliveryDocument[]> {
  const [first] = due;
  const messageIds = [...new Set(due.flatMap(({ messageId }) => messageId ?? []))];
  if (!first || messageIds.length === 0) return due;
  const { accountId, endpointId } = first;
  const waiting = await deliveries.waitingOf({ accountId, endpointId, messageIds });
  const heads = new Map<string, WaitingDelivery>();
  for (const one of waiting) {
    const head = heads.get(one.messageId);
    if (!head || isBefore(one, head)) heads.set(one.messageId, one);
  }
  const free: WebhookDeliveryDocument[] = [];
  const putOff = new Map<number, string[]>();
  for (const delivery of due) {
    const head = heads.get(delivery.messageId ?? "");
    if (!head || head._id === delivery._id) free.push(delivery);
    else if (head.dueAt > now) {
      const untilMs = head.dueAt.getTime() + 1;
      putOff.set(untilMs, [...(putOff.get(untilMs) ?? []), delivery._id]);
    }
  }
  for (const [untilMs, ids] of putOff) await deliveries.postpone(endpointId, ids, new Date(untilMs));
  return free;
}

/** Orders by time of the event, then by the attempt number in the event id. */
function isBefore(a: WaitingDelivery, b: WaitingDelivery): boolean {
  const byTime = a.at.getTime() - b.at.getTime();
  if (byTime !== 0) return byTime < 0;
  const byAttempt = attemptIn(a) - attemptIn(b);
  return byAttempt !== 0 ? byAttempt < 0 : a._id < b._id;
}

function attemptIn({ eventId }: WaitingDelivery): number {
  return Number(eventId.split(".")[1]) || 0;
}
