import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  RetryDeliveriesRequest,
  RetryDeliveriesResponseSchema,
  RetryDeliveryRequest,
  RetryDeliveryResponseSchema,
} from "../../../gen/hermod/delivery/v1/delivery_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toDelivery } from "./to-delivery.ts";

/** Maximum number of deliveries that one call retries, so that it answers in time; has_more reports the rest. */
const RETRIED_MAX = 20_000;

/** Makes waiting deliveries due now instead of at their next attempt. */
export function createRetries({ store, clock }: Pick<Dependencies, "store" | "clock">) {
  return {
    /** @throws Fault account.unknown, webhook.delivery_unknown, webhook.delivery_ended */
    retryDelivery: async (
      request: RetryDeliveryRequest,
      { audit }: Pick<HandlerContext, "audit">,
    ): Promise<MessageInitShape<typeof RetryDeliveryResponseSchema>> => {
      const account = await resolveAccount(store, request);
      const found = await account.webhookDeliveries.find(request.id);
      if (!found) throw fault("webhook.delivery_unknown");
      const isOrdered = (await account.webhooks.find(found.endpointId))?.ordered === true;
      const at = { now: clock.now(), isOrdered };
      const retried = await account.webhookDeliveries.retry(request.id, at, audit);
      if (!retried) throw fault("webhook.delivery_ended");
      return { delivery: toDelivery(retried) };
    },

    /** @throws Fault account.unknown, webhook.unknown, webhook.disabled */
    retryDeliveries: async (
      request: RetryDeliveriesRequest,
      { audit }: Pick<HandlerContext, "audit">,
    ): Promise<MessageInitShape<typeof RetryDeliveriesResponseSchema>> => {
      const account = await resolveAccount(store, request);
      const { endpointId } = request;
      const endpoint = await account.webhooks.find(endpointId);
      if (!endpoint) throw fault("webhook.unknown");
      if (endpoint.disabled) throw fault("webhook.disabled");
      const count = await account.webhookDeliveries.retryAll(
        endpoint,
        { now: clock.now(), limit: RETRIED_MAX },
        audit,
      );
      return { count, hasMore: count === RETRIED_MAX };
    },
  };
}
