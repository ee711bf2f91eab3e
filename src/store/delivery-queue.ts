import type { Collection } from "mongodb";
import { date } from "./field-checks.ts";
import type { NoteDeliveries } from "./journal/note-deliveries.ts";
import { type Found, readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";
import { createWebhookDamage, dueDeliveryFault } from "./webhook-damage.ts";
import type { WebhookDeliveryDocument, WebhookQueueDocument } from "./webhook-delivery-documents.ts";
import { createWebhookOrder } from "./webhook-order.ts";
import { endWaiting, type WaitingEnd } from "./webhook-waiting.ts";

export interface DeliveryCollections {
  readonly deliveries: Collection<WebhookDeliveryDocument>;
  readonly lanes: Collection<WebhookQueueDocument>;
}

/** Reads and writes of the worker that sends deliveries of any kind: one queue for each receiver. */
export function createDeliveryQueue(
  { deliveries, lanes: queues }: DeliveryCollections,
  noteDeliveries: NoteDeliveries,
) {
  return {
    /** Endpoints with due deliveries, the longest waiting first. */
    async dueQueues(slots: readonly number[], now: Date, limit: number): Promise<WebhookQueueDocument[]> {
      if (slots.length === 0) return [];
      const filter = { slot: { $in: [...slots] }, wakeAt: { $lte: now } };
      const found = await readEach<WebhookQueueDocument>((options) =>
        queues.find(filter, options).sort({ wakeAt: 1 }).limit(limit),
      );
      return found.documents;
    },

    findQueue: (endpointId: string) => guarded(queues.findOne({ _id: endpointId })),

    /** Due deliveries of one endpoint, the longest due first, and the damaged ones among them. */
    async due(
      endpointId: string,
      now: Date,
      { except, limit }: { readonly except: readonly string[]; readonly limit: number },
    ): Promise<Found<WebhookDeliveryDocument>> {
      const filter = { endpointId, dueAt: { $lte: now } };
      const { documents, unreadable } = await readEach<WebhookDeliveryDocument>(
        (options) =>
          deliveries
            .find(filter, options)
            .sort({ dueAt: 1 })
            .limit(limit + except.length),
        dueDeliveryFault,
      );
      const known = new Set(except);
      return {
        documents: documents.filter(({ _id }) => !known.has(_id)).slice(0, limit),
        unreadable: unreadable.filter(({ id }) => !known.has(id)),
      };
    },

    ...createWebhookDamage(deliveries, noteDeliveries),

    ...createWebhookOrder(deliveries),

    /**
     * Records that an endpoint has no due delivery now, and the time of the next one.
     * @param lane as read before the search for due deliveries
     * @returns false: a delivery was added in the meantime, which may be due
     */
    async rest({
      _id,
      additions,
      heldUntil,
    }: Pick<WebhookQueueDocument, "_id" | "additions" | "heldUntil">): Promise<boolean> {
      const waiting = deliveries.find({ endpointId: _id, dueAt: { $exists: true } });
      const [next] = await guarded(
        waiting.sort({ dueAt: 1 }).limit(1).project<{ dueAt: Date }>({ dueAt: 1 }).toArray(),
      );
      // An invalid time counts as due: the next turn ends damaged deliveries.
      const dueAt = next && (date(next.dueAt) ? next.dueAt : new Date(0));
      const update = dueAt
        ? { $set: { wakeAt: date(heldUntil) && heldUntil && heldUntil > dueAt ? heldUntil : dueAt } }
        : { $unset: { wakeAt: "" as const } };
      const { matchedCount } = await guarded(queues.updateOne({ _id, additions }, update));
      return matchedCount === 1;
    },

    /** Moves an endpoint with due deliveries behind the other waiting ones. */
    async requeue(endpointId: string, now: Date): Promise<void> {
      const filter = { _id: endpointId, wakeAt: { $lt: now } };
      await guarded(queues.updateOne(filter, { $set: { wakeAt: now } }));
    },

    /** Records that an endpoint must receive nothing before this time. */
    async hold(endpointId: string, heldUntil: Date): Promise<void> {
      await guarded(queues.updateOne({ _id: endpointId }, { $set: { heldUntil } }));
    },

    /** Ends all waiting deliveries of an endpoint that receives nothing more. */
    async endAll(
      { _id: endpointId, accountId }: Pick<WebhookQueueDocument, "_id" | "accountId">,
      end: WaitingEnd,
    ): Promise<void> {
      const count = await endWaiting(deliveries, { endpointId }, end, Number.POSITIVE_INFINITY);
      if (count > 0) noteDeliveries([{ accountId, endpointId }]);
    },

    /** For a removed endpoint. */
    async removeQueue(endpointId: string): Promise<void> {
      await guarded(queues.deleteOne({ _id: endpointId }));
    },
  };
}
