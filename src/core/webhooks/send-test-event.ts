import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  SendTestEventRequest,
  SendTestEventResponseSchema,
} from "../../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { TEST_TYPE, testPayload } from "../../events/webhook-payload.ts";
import { fault } from "../../shared/fault.ts";
import { newId } from "../../shared/ids.ts";
import { webhookDeliveryId } from "../../store/webhook-delivery-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";

const KEPT_MS = 7 * 86_400_000;

/** @throws Fault account.unknown, webhook.unknown, webhook.disabled */
export function createSendTestEvent({ store, clock }: Pick<Dependencies, "store" | "clock">) {
  return async (
    request: SendTestEventRequest,
  ): Promise<MessageInitShape<typeof SendTestEventResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const endpoint = await account.webhooks.find(request.id);
    if (!endpoint) throw fault("webhook.unknown");
    if (endpoint.disabled) throw fault("webhook.disabled");
    const at = clock.now();
    const eventId = newId("wte", at);
    const deliveryId = webhookDeliveryId(endpoint._id, eventId);
    await account.webhookDeliveries.add({
      ...{ _id: deliveryId, endpointId: endpoint._id, eventId, type: TEST_TYPE, at },
      ...{ state: "pending", attempts: 0, dueAt: at, tries: [] },
      body: JSON.stringify(testPayload({ eventId, at, endpoint })),
      expireAt: new Date(at.getTime() + KEPT_MS),
    });
    return { deliveryId };
  };
}
