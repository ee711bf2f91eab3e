import type { Collection } from "mongodb";
import { date } from "./field-checks.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";
import type { WebhookDeliveryDocument } from "./webhook-delivery-documents.ts";

/** A delivery of a message's event that is still to be sent. */
export type WaitingDelivery = Required<
  Pick<WebhookDeliveryDocument, "_id" | "messageId" | "eventId" | "at" | "dueAt">
>;

/** Whose deliveries are asked for. */
interface OfMessages {
  readonly accountId: string;
  readonly endpointId: string;
  readonly messageIds: readonly string[];
}

/** What it takes to have deliveries keep an order. */
export function createWebhookOrder(deliveries: Collection<WebhookDeliveryDocument>) {
  return {
    /** What of messages still has to reach an endpoint, due or not. */
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
      // One that is damaged, and never comes due, keeps no other waiting.
      return found.documents.filter(({ at, dueAt }) => date(at) && date(dueAt));
    },

    /** Has deliveries that wait be due later. */
    async postpone(ids: readonly string[], until: Date): Promise<void> {
      const filter = { _id: { $in: [...ids] }, dueAt: { $exists: true } };
      await guarded(deliveries.updateMany(filter, { $set: { dueAt: until } }));
    },
  };
}
