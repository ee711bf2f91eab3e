import type { MessageInitShape } from "@bufbuild/protobuf";
import { TEST_TYPE } from "../../../contracts/common/webhook-types.ts";
import { eventTypes } from "../../../contracts/events.ts";
import type {
  SendTestEventRequest,
  SendTestEventResponseSchema,
} from "../../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { testPayload } from "../../events/webhook-payload.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { newId } from "../../shared/ids.ts";
import { webhookDeliveryId } from "../../store/webhook-delivery-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { resolveAccount } from "../resolve-account.ts";
import { checkType } from "./read-settings.ts";

const KEPT_MS = 7 * 86_400_000;

/** @throws Fault account.unknown, request.validation_failed, webhook.unknown, webhook.disabled */
export function createSendTestEvent({ store, clock }: Pick<Dependencies, "store" | "clock">) {
  return async (
    request: SendTestEventRequest,
  ): Promise<MessageInitShape<typeof SendTestEventResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const type = eventTypes.find((one) => one === (request.type || TEST_TYPE));
    if (type === undefined) {
      const faults = createFieldFaults();
      checkType({ type: request.type, known: eventTypes, at: "/type" }, faults);
      throw validationFault(faults.found);
    }
    const endpoint = await account.webhooks.find(request.id);
    if (!endpoint) throw fault("webhook.unknown");
    if (endpoint.disabled) throw fault("webhook.disabled");
    const at = clock.now();
    const eventId = newId("wte", at);
    const deliveryId = webhookDeliveryId(endpoint._id, eventId);
    await account.webhookDeliveries.add({
      _id: deliveryId,
      endpointId: endpoint._id,
      eventId,
      type,
      at,
      state: "pending",
      attempts: 0,
      dueAt: at,
      tries: [],
      answered: "untried",
      body: JSON.stringify(testPayload(type, { eventId, at, endpoint })),
      expireAt: new Date(at.getTime() + KEPT_MS),
    });
    return { deliveryId };
  };
}
