import type { Classes } from "../audit/classes.ts";
import { sealedWebhooks } from "../sealing/sealed-webhook.ts";
import type { WebhookCounterDocument } from "../webhook-counters.ts";
import type { WebhookDeliveryDocument, WebhookQueueDocument } from "../webhook-delivery-documents.ts";
import type { WebhookEndpointDocument } from "../webhook-documents.ts";
import { EXPIRES, ifPresent, type Manifest } from "./manifest.ts";

/** Fields of a delivery that change when a member replays it or sends it now. The delivery records its attempts. */
const webhookDelivery: Classes<Pick<WebhookDeliveryDocument, "state" | "attempts" | "dueAt">> = {
  dueAt: "track",
  state: "track",
  attempts: "track",
};

export interface WebhookDocuments {
  readonly webhookEndpoints: WebhookEndpointDocument;
  readonly webhookDeliveries: WebhookDeliveryDocument;
  readonly webhookLanes: WebhookQueueDocument;
  readonly webhookCounters: WebhookCounterDocument;
}

export const webhookManifest = {
  webhookEndpoints: {
    indexes: [
      { key: { accountId: 1, _id: 1 } },
      { key: { accountId: 1, place: 1 }, unique: true },
      { key: { untold: 1 }, name: "untold", ...ifPresent("untold") },
    ],
    deletion: "access",
    export: { by: ["_id"], without: ["secrets", "headers", "sealedWith"] },
    audited: {
      /** Headers may contain tokens of the receiver. */
      webhook: {
        _id: "ignore",
        accountId: "ignore",
        place: "ignore",
        url: "track",
        description: "track",
        types: "track",
        tags: "track",
        policies: "track",
        ordered: "track",
        ratePerSecond: "track",
        headers: { name: "track", value: "secret", setAt: "ignore" },
        secrets: { secret: "secret", createdAt: "ignore", expiresAt: "track" },
        version: "track",
        untold: "ignore",
        disabled: { at: "ignore", reason: "track", detail: "track" },
        createdAt: "ignore",
        updatedAt: "ignore",
        revision: "ignore",
      },
    },
    named: { webhook: ({ url }: Pick<WebhookEndpointDocument, "url">) => ({ name: url }) },
    sealed: sealedWebhooks,
  },
  webhookDeliveries: {
    indexes: [
      { key: { accountId: 1, endpointId: 1, at: -1, _id: -1 } },
      { key: { accountId: 1, endpointId: 1, state: 1, at: -1, _id: -1 } },
      { key: { accountId: 1, messageId: 1, at: 1, _id: 1 } },
      // Each filter of the list of all endpoints.
      { key: { accountId: 1, at: -1, _id: -1 } },
      { key: { accountId: 1, state: 1, at: -1, _id: -1 } },
      { key: { accountId: 1, type: 1, at: -1, _id: -1 } },
      { key: { accountId: 1, answered: 1, at: -1, _id: -1 } },
      { key: { accountId: 1, eventId: 1, at: -1, _id: -1 } },
      { key: { endpointId: 1, dueAt: 1 }, name: "due", ...ifPresent("dueAt") },
      { key: { accountId: 1, addressKey: 1 }, name: "about_address", ...ifPresent("addressKey") },
      EXPIRES,
    ],
    // Ids begin with the endpoint, so that they stay unique.
    shardKey: { endpointId: 1, _id: 1 },
    deletion: "settings",
    export: { omitted: "events as endpoints received them; the messages have them" },
    audited: {},
    auditedInPart: {
      webhook_delivery: webhookDelivery,
    },
  },
  webhookLanes: {
    indexes: [
      { key: { accountId: 1, _id: 1 } },
      { key: { slot: 1, wakeAt: 1 }, name: "awake", ...ifPresent("wakeAt") },
    ],
    deletion: "settings",
    export: { omitted: "times of next deliveries to endpoints" },
    audited: {},
  },
  // After the deliveries: no attempt is counted once they are removed.
  webhookCounters: {
    indexes: [{ key: { accountId: 1, endpointId: 1, step: 1, at: 1 } }, EXPIRES],
    deletion: "settings",
    export: { omitted: "sums of the attempts of deliveries" },
    audited: {},
  },
} as const satisfies Manifest<WebhookDocuments>;
