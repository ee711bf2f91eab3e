import type { WebhookDeliveryDocument } from "../webhook-delivery-documents.ts";
import type { WebhookEndpointDocument } from "../webhook-documents.ts";
import type { Classes } from "./classes.ts";

/** Fields of a delivery that change when a member replays it or sends it now. Its attempts are recorded in the delivery. */
export const webhookDelivery: Classes<Pick<WebhookDeliveryDocument, "state" | "attempts" | "dueAt">> = {
  dueAt: "track",
  state: "track",
  attempts: "track",
};

/** Headers carry tokens of the receiver's. */
export const webhook: Classes<WebhookEndpointDocument> = {
  _id: "ignore",
  accountId: "ignore",
  place: "ignore",
  url: "track",
  description: "track",
  types: "track",
  tags: "track",
  policies: "track",
  ordered: "track",
  headers: { name: "track", value: "secret" },
  secrets: { secret: "secret", createdAt: "ignore", expiresAt: "track" },
  version: "track",
  untold: "ignore",
  disabled: { at: "ignore", reason: "track", detail: "track" },
  createdAt: "ignore",
  updatedAt: "ignore",
  revision: "ignore",
};
