import type { Db } from "mongodb";
import { newId } from "../shared/ids.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { createDeliveryResults, type WebhookResult } from "./delivery-results.ts";
import type { NoteDeliveries } from "./journal/note-deliveries.ts";
import { createWebhookCounterWriter } from "./webhook-counters.ts";
import { type OutboxEvent, webhookCollections } from "./webhook-delivery-documents.ts";
import type { WebhookOutbox } from "./webhook-outbox.ts";

/** Stores the results of attempts at endpoints, counts them, and publishes exhausted deliveries. */
export function createWebhookResults(
  db: Db,
  writes: Pick<AuditedWrites, "transact">,
  outbox: Pick<WebhookOutbox, "publish">,
  noteDeliveries: NoteDeliveries,
) {
  const { deliveries } = webhookCollections(db);
  const count = createWebhookCounterWriter(db);

  return createDeliveryResults({
    deliveries,
    writes,
    noteDeliveries,
    async follow(session, stored) {
      await count(
        session,
        stored.flatMap(({ delivery, tried }) => (tried ? { ...delivery, tried } : [])),
      );
      const exhausted = new Map<string, OutboxEvent[]>();
      for (const result of stored) {
        const event = exhaustedEvent(result);
        const { accountId } = result.delivery;
        if (event) exhausted.set(accountId, [...(exhausted.get(accountId) ?? []), event]);
      }
      for (const [accountId, events] of exhausted) await outbox.publish(session, accountId, events);
    },
  });
}

/** Undefined: there is none. Events about endpoints cause no further events, so that no loop begins. */
function exhaustedEvent({ delivery, at, tried, exhaustedAt: url }: WebhookResult): OutboxEvent | undefined {
  const { _id: deliveryId, endpointId, eventId: exhaustedId, type: eventType, attempts } = delivery;
  if (url === undefined || eventType.startsWith("webhook.")) return undefined;
  const subject = {
    kind: "webhook_exhausted" as const,
    endpointId,
    // The rest of the URL may be a secret.
    host: new URL(url).host,
    deliveryId,
    exhaustedId,
    eventType,
    attempts: attempts + 1,
    detail: tried?.detail ?? "",
  };
  return { eventId: newId("evt", at), type: "webhook.exhausted", at, subject };
}
