import type { ComposePayloads } from "../events/compose-payloads.ts";
import type { WebhookDeliveryDocument } from "../store/webhook-delivery-documents.ts";

/**
 * Composes the bodies of deliveries, in order. A body is undefined if the subject of its event no longer exists.
 * @param version payload version of the endpoint
 * @throws Fault store.unavailable
 */
export type ComposeBodies = (
  deliveries: readonly WebhookDeliveryDocument[],
  version: string,
) => Promise<readonly (string | undefined)[]>;

/** A body that was sent before is sent again byte for byte, even if its subject has changed since. */
export function createComposeBodies(composePayloads: ComposePayloads): ComposeBodies {
  return async (deliveries, version) => {
    const fresh = deliveries.filter(({ body }) => body === undefined);
    const payloads = await composePayloads(fresh, version);
    const payloadOf = new Map(fresh.map((delivery, index) => [delivery, payloads[index]]));
    return deliveries.map((delivery) => {
      const payload = payloadOf.get(delivery);
      return delivery.body ?? (payload && JSON.stringify(payload));
    });
  };
}
