import type { ComposePayloads } from "../events/compose-payloads.ts";
import type { WebhookDeliveryDocument } from "../store/webhook-delivery-documents.ts";

/**
 * Makes the bodies of deliveries, in their order; undefined: what it tells of is there no more.
 * @param version of the endpoint's payloads
 * @throws Fault store.unavailable
 */
export type ComposeBodies = (
  deliveries: readonly WebhookDeliveryDocument[],
  version: string,
) => Promise<readonly (string | undefined)[]>;

/** What was sent before is sent again, byte for byte, whatever has happened since. */
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
