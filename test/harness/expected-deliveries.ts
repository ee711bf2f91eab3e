import type { Db } from "mongodb";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import type { NewTargetDelivery } from "../../src/store/target-delivery-store.ts";
import type { TargetDocument } from "../../src/store/target-documents.ts";
import {
  type WebhookDeliveryDocument,
  webhookCollections,
} from "../../src/store/webhook-delivery-documents.ts";
import type { WebhookEndpointDocument } from "../../src/store/webhook-documents.ts";
import { storedEvents } from "./stored-events.ts";

const TOLD = [
  ...["accepted", "scheduled", "delivered", "captured", "deferred", "bounced", "complained"],
  ...["suppressed", "failed", "expired", "cancelled", "opened", "clicked", "unsubscribed"],
];

let places = 0;

/** An endpoint that was created first, with these changes. */
export function endpointDocument(
  changes: Partial<WebhookEndpointDocument> & Pick<WebhookEndpointDocument, "_id" | "accountId">,
): WebhookEndpointDocument {
  const at = new Date(0);
  return {
    place: places++,
    url: "https://receiver.example/hook",
    description: "",
    headers: [],
    secrets: [],
    version: "2026-11-01",
    createdAt: at,
    updatedAt: at,
    revision: 1,
    ...changes,
  };
}

/** A completed delivery of a message's event, with these changes. */
export function deliveryDocument(changes: Partial<WebhookDeliveryDocument> = {}): WebhookDeliveryDocument {
  const at = new Date();
  return {
    _id: "wep_1.msg_1.1.delivered",
    accountId: "acc_test",
    endpointId: "wep_1",
    eventId: "msg_1.1.delivered",
    messageId: "msg_1",
    type: "message.delivered",
    at,
    state: "delivered",
    attempts: 1,
    tries: [],
    body: "{}",
    endedAt: at,
    expireAt: new Date(at.getTime() + 86_400_000),
    ...changes,
  };
}

/** Returns all happenings of messages, computed from the messages and their events only. */
export async function happenings(db: Db) {
  const messages = await db.collection<MessageDocument>("messages").find().toArray();
  const events = await storedEvents(db);
  const byId = new Map(messages.map((message) => [message._id, message]));
  const all = [
    ...messages.map((message) => {
      const kind = message.sendAt ? "scheduled" : "accepted";
      return { id: `${message._id}.0.${kind}`, kind, message };
    }),
    ...events.flatMap(({ _id, kind, messageId }) => {
      const message = byId.get(messageId);
      return message ? [{ id: _id, kind: kind as string, message }] : [];
    }),
  ];
  return all.filter(({ kind }) => TOLD.includes(kind));
}

/** Returns the expected ids of deliveries, computed from the stored endpoints, messages and events only. */
export async function expectedDeliveries(db: Db): Promise<string[]> {
  const endpoints = await webhookCollections(db).endpoints.find().toArray();
  const happened = await happenings(db);
  return endpoints
    .flatMap(({ _id, accountId, types, tags, policies }) =>
      happened
        .filter(({ kind, message }) => {
          const type = `message.${kind === "captured" ? "delivered" : kind}`;
          const wanted = [
            message.accountId === accountId,
            types === undefined || types.includes(type),
            tags === undefined || tags.some((tag) => message.tags?.includes(tag)),
            policies === undefined || policies.includes(message.policy),
          ];
          return wanted.every(Boolean);
        })
        .map(({ id }) => `${_id}.${id}`),
    )
    .sort();
}

/** Returns the stored ids of deliveries. */
export async function foundDeliveries(db: Db): Promise<string[]> {
  const found = db.collection<WebhookDeliveryDocument>("webhookDeliveries").find();
  return (await found.toArray()).map(({ _id }) => _id).sort();
}

/** An alert target, with these changes. */
export function targetDocument(
  changes: Partial<TargetDocument> & Pick<TargetDocument, "_id" | "accountId">,
): TargetDocument {
  const at = new Date(0);
  return {
    name: changes._id.replaceAll("_", "-"),
    kind: "slack",
    url: "https://chat.example/services/T1/B1/secret",
    description: "",
    headers: [],
    secrets: [],
    ratePerSecond: 1,
    createdAt: at,
    updatedAt: at,
    revision: 1,
    ...changes,
  };
}

/** A new delivery to an alert target, with these changes. */
export function targetDelivery(changes: Partial<NewTargetDelivery> = {}): NewTargetDelivery {
  const at = new Date();
  return {
    endpointId: "atg_1",
    eventId: "ntc_1",
    type: "incident.notice",
    at,
    body: "{}",
    targetName: "atg-1",
    targetKind: "slack",
    ruleName: "pager",
    incidentId: "inc_1",
    number: 1,
    expireAt: new Date(at.getTime() + 86_400_000),
    ...changes,
  };
}
