import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { DeliverySchema } from "../../../gen/hermod/delivery/v1/delivery_service_pb.ts";
import type { WebhookDeliveryDocument } from "../../store/webhook-delivery-documents.ts";

/** A delivery in a list. */
export function toSummary(delivery: WebhookDeliveryDocument) {
  const { _id: id, accountId, endpointId, eventId, type, messageId = "", at, state, attempts } = delivery;
  return {
    id,
    accountId,
    endpointId,
    eventId,
    type,
    messageId,
    at: timestampFromDate(at),
    state,
    attempts,
    ...(delivery.dueAt && { dueAt: timestampFromDate(delivery.dueAt) }),
    ...(delivery.endedAt && { endedAt: timestampFromDate(delivery.endedAt) }),
    endReason: delivery.endReason ?? "",
  } satisfies MessageInitShape<typeof DeliverySchema>;
}

/** A delivery with its body and its attempts. */
export function toDelivery(delivery: WebhookDeliveryDocument): MessageInitShape<typeof DeliverySchema> {
  return {
    ...toSummary(delivery),
    body: delivery.body ?? "",
    tries: delivery.tries.map(({ at, durationMs, url, address = "", status = 0, detail, answer = "" }) => ({
      at: timestampFromDate(at),
      durationMs,
      url,
      address,
      status,
      detail,
      answer,
    })),
  };
}
