import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  DeliveryAttemptSchema,
  DeliveryHeaderSchema,
  DeliverySchema,
} from "../../../gen/hermod/delivery/v1/delivery_service_pb.ts";
import {
  triedPhrase,
  type WebhookDeliveryDocument,
  type WebhookExchange,
  type WebhookTry,
} from "../../store/webhook-delivery-documents.ts";
import { toTextParts } from "../text-parts.ts";

/** A delivery in a list. */
export function toSummary(delivery: WebhookDeliveryDocument) {
  const { _id: id, accountId, endpointId, eventId, type, messageId = "", at, state, attempts } = delivery;
  const last = delivery.tries.at(-1);
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
    endReasonParts: toTextParts(delivery.endReasonParts ?? []),
    ...(last && { lastAttempt: { ...toAttempt(last), answer: "" } }),
  } satisfies MessageInitShape<typeof DeliverySchema>;
}

/** A delivery with its body and its attempts. */
export function toDelivery(delivery: WebhookDeliveryDocument): MessageInitShape<typeof DeliverySchema> {
  const { body = "", tries, exchanges = [] } = delivery;
  return {
    ...toSummary(delivery),
    body,
    tries: tries.map((one) => ({
      ...toAttempt(one),
      ...headersOf(exchanges.find(({ at }) => at.getTime() === one.at.getTime())),
    })),
  };
}

function toAttempt(tried: WebhookTry) {
  const { at, durationMs, url, address = "", status = 0, detail, answer = "" } = tried;
  return {
    at: timestampFromDate(at),
    durationMs,
    url,
    address,
    status,
    detail,
    detailParts: toTextParts(triedPhrase(tried).parts),
    answer,
  } satisfies MessageInitShape<typeof DeliveryAttemptSchema>;
}

function headersOf(exchange: WebhookExchange | undefined) {
  if (!exchange) return {};
  const { request, response = "", isCut = false } = exchange;
  return {
    requestHeaders: request.split("\n").flatMap(headerOf),
    responseHeaders: response.split("\n").flatMap(headerOf),
    responseHeadersCut: isCut,
  };
}

function headerOf(line: string): MessageInitShape<typeof DeliveryHeaderSchema>[] {
  if (line === "") return [];
  const end = line.indexOf(": ");
  return end < 0
    ? [{ name: line, isSecret: true }]
    : [{ name: line.slice(0, end), value: line.slice(end + 2) }];
}
