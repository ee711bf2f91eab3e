import type { WebhookDeliveryDocument } from "../webhook-delivery-documents.ts";
import type { Classes } from "./classes.ts";

/** Of a delivery, that is: that somebody wanted it once more. Its own record is its attempts. */
export const webhookDelivery: Classes<Pick<WebhookDeliveryDocument, "state" | "attempts">> = {
  state: "track",
  attempts: "track",
};
