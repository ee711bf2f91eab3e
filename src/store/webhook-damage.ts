import type { AnyBulkWriteOperation, Collection, Filter } from "mongodb";
import {
  count,
  createShapeFault,
  date,
  fields,
  filled,
  listOf,
  oneOf,
  optional,
  text,
} from "./field-checks.ts";
import { guarded } from "./store-fault.ts";
import {
  type WebhookDeliveryDocument,
  webhookDeliveryId,
  webhookDeliveryStates,
} from "./webhook-delivery-documents.ts";

const list = listOf(fields);

const shapeFault = createShapeFault<WebhookDeliveryDocument>([
  ["_id", filled],
  ["accountId", filled],
  ["endpointId", filled],
  ["eventId", filled],
  ["type", filled],
  ["messageId", optional(filled)],
  ["subject", optional(fields)],
  ["at", date],
  ["state", oneOf(webhookDeliveryStates)],
  ["attempts", count],
  ["dueAt", optional(date)],
  ["body", optional(text)],
  ["tries", list],
]);

/** A delivery that must not be sent, and why. */
export interface DamagedDelivery {
  readonly id: string;
  readonly reason: string;
}

/** The reason why a delivery that was stored cannot be used; undefined: it can. */
export function deliveryFault(delivery: WebhookDeliveryDocument): string | undefined {
  const reason = shapeFault(delivery);
  if (reason !== undefined) return reason;
  const { _id, endpointId, eventId } = delivery;
  return _id === webhookDeliveryId(endpointId, eventId)
    ? undefined
    : "endpointId or eventId: they do not match the id";
}

/** As `deliveryFault`, for a delivery that is due: only one that is pending may be sent. */
export function dueDeliveryFault(delivery: WebhookDeliveryDocument): string | undefined {
  const reason = deliveryFault(delivery);
  if (reason !== undefined || delivery.state === "pending") return reason;
  return `dueAt: it is set, but the delivery is ${delivery.state}`;
}

/** Whatever else its state is. */
const hasNotEnded = {
  state: { $not: { $in: ["delivered", "failed", "dropped"] } },
} as Filter<WebhookDeliveryDocument>;

/** Takes damaged deliveries out of their endpoint's way. */
export function createWebhookDamage(deliveries: Collection<WebhookDeliveryDocument>) {
  return {
    /**
     * Ends damaged deliveries: none of them is due from then on. One that has ended before stays as it ended.
     * @param expireAt when they are removed
     */
    async endDamaged(damaged: readonly DamagedDelivery[], at: Date, expireAt: Date): Promise<void> {
      const updates = damaged.flatMap(({ id, reason }): AnyBulkWriteOperation<WebhookDeliveryDocument>[] => {
        const endReason = `its document is damaged: ${reason}`;
        const failed = { state: "failed" as const, endedAt: at, endReason, expireAt };
        return [
          {
            updateOne: {
              filter: { _id: id, ...hasNotEnded },
              update: { $set: failed, $unset: { dueAt: "" } },
            },
          },
          { updateOne: { filter: { _id: id }, update: { $unset: { dueAt: "" } } } },
        ];
      });
      if (updates.length > 0) await guarded(deliveries.bulkWrite(updates));
    },

    /**
     * Finds deliveries of an endpoint whose `dueAt` is no date: no query for what is due finds them, and they come first in the order of
     * the index, which is all that is read.
     */
    async findStrays(endpointId: string): Promise<DamagedDelivery[]> {
      const waiting = { endpointId, dueAt: { $exists: true } };
      const first = deliveries
        .find(waiting, { projection: { dueAt: 1 } })
        .sort({ dueAt: 1 })
        .limit(STRAYS);
      const strays = new Map<string, DamagedDelivery>();
      for (const { _id: id, dueAt } of await guarded(first.toArray())) {
        if (!date(dueAt)) strays.set(id, { id, reason: "dueAt: it is not a date" });
      }
      return [...strays.values()];
    },
  };
}

/** Found at once: more of them are found the next time. */
const STRAYS = 20;
