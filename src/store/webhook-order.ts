import type { Collection } from "mongodb";
import { date } from "./field-checks.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";
import type { WebhookDeliveryDocument } from "./webhook-delivery-documents.ts";

/** A pending delivery of a message's event. */
export type WaitingDelivery = Required<
  Pick<WebhookDeliveryDocument, "_id" | "messageId" | "eventId" | "at" | "dueAt">
>;

/** Selects the deliveries of messages. */
interface OfMessages {
  readonly accountId: string;
  readonly endpointId: string;
  readonly messageIds: readonly string[];
}

/** Ordered delivery of a message's events. */
export function createWebhookOrder(deliveries: Collection<WebhookDeliveryDocument>) {
  return {
    /** Pending deliveries of messages to an endpoint, due or not. */
    async waitingOf({ accountId, endpointId, messageIds }: OfMessages): Promise<WaitingDelivery[]> {
      const filter = {
        accountId,
        messageId: { $in: [...messageIds] },
        endpointId,
        state: "pending" as const,
      };
      const projection = { messageId: 1, eventId: 1, at: 1, dueAt: 1 };
      const found = await readEach<WaitingDelivery>((options) =>
        deliveries.find(filter, { projection, ...options }),
      );
      // A damaged delivery never becomes due, so it must not block others.
      return found.documents.filter(({ at, dueAt }) => date(at) && date(dueAt));
    },

    /** Postpones waiting deliveries of one endpoint. */
    async postpone(endpointId: string, ids: readonly string[], until: Date): Promise<void> {
      const filter = { endpointId, _id: { $in: [...ids] }, dueAt: { $exists: true } };
      await guarded(deliveries.updateMany(filter, { $set: { dueAt: until } }));
    },
  };
}
