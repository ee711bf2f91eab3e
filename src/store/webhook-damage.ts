import type { AnyBulkWriteOperation, Collection, Filter } from "mongodb";
import { phrase } from "../shared/phrase.ts";
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
import type { NoteDeliveries } from "./journal/note-deliveries.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";
import {
  endReasonFields,
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
  ["exchanges", optional(list)],
]);

/** A delivery that must not be sent, with the reason. */
export interface DamagedDelivery {
  readonly id: string;
  readonly reason: string;
}

/** Why a stored delivery cannot be used; undefined: it can. */
export function deliveryFault(delivery: WebhookDeliveryDocument): string | undefined {
  const reason = shapeFault(delivery);
  if (reason !== undefined) return reason;
  const { _id, endpointId, eventId } = delivery;
  return _id === webhookDeliveryId(endpointId, eventId)
    ? undefined
    : "endpointId or eventId: they do not match the id";
}

/** As `deliveryFault`, for a due delivery: only a pending one may be sent. */
export function dueDeliveryFault(delivery: WebhookDeliveryDocument): string | undefined {
  const reason = deliveryFault(delivery);
  if (reason !== undefined || delivery.state === "pending") return reason;
  return `dueAt: it is set, but the delivery is ${delivery.state}`;
}

/** Matches any state but the final ones. */
const hasNotEnded = {
  state: { $not: { $in: ["delivered", "failed", "dropped"] } },
} as Filter<WebhookDeliveryDocument>;

type Owned = Pick<WebhookDeliveryDocument, "_id" | "accountId" | "endpointId">;

/** Whether a damaged delivery names its account and endpoint. */
const isOwned = ({ accountId, endpointId }: Owned) => filled(accountId) && filled(endpointId);

/** Ends damaged deliveries, so that they do not block their endpoint. */
export function createWebhookDamage(
  deliveries: Collection<WebhookDeliveryDocument>,
  noteDeliveries: NoteDeliveries,
) {
  return {
    /**
     * Ends damaged deliveries: none of them is due from then on. A finished one stays unchanged.
     * @param expireAt time of their removal
     */
    async endDamaged(damaged: readonly DamagedDelivery[], at: Date, expireAt: Date): Promise<void> {
      const updates = damaged.flatMap(({ id, reason }): AnyBulkWriteOperation<WebhookDeliveryDocument>[] => {
        const because = endReasonFields(phrase("webhook.damaged", { reason }));
        const failed = { state: "failed" as const, endedAt: at, ...because, expireAt };
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
      if (updates.length === 0) return;
      await guarded(deliveries.bulkWrite(updates));
      const ended = { _id: { $in: damaged.map(({ id }) => id) } };
      const projection = { accountId: 1, endpointId: 1 } as const;
      const { documents } = await readEach<Owned>((options) =>
        deliveries.find(ended, { projection, ...options }),
      );
      noteDeliveries(documents.filter(isOwned));
    },

    /**
     * Finds deliveries of an endpoint with an invalid `dueAt`: no query for due deliveries finds them, and they come
     * first in the index, so that only these are read.
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

/** Page size. The next call finds more. */
const STRAYS = 20;
