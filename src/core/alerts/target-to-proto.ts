import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { TargetDeliverySchema, TargetSchema } from "../../../gen/hermod/target/v1/target_service_pb.ts";
import type { HistoryEntry } from "../../alerts/incident-history.ts";
import { NO_PHRASE } from "../../shared/phrase.ts";
import type {
  TargetDeliveryDocument,
  TargetDocument,
  TargetQueueDocument,
} from "../../store/target-documents.ts";
import { targetRevision } from "../../store/target-store.ts";
import { triedPhrase, webhookDeliveryId } from "../../store/webhook-delivery-documents.ts";
import { toTextParts } from "../text-parts.ts";

type QueueState = Pick<TargetQueueDocument, "deliveredAt" | "lastFailure">;

/** A target in answers, without its URL, its secrets and the values of its headers. */
export function toTarget(
  target: TargetDocument,
  queue: QueueState = {},
): MessageInitShape<typeof TargetSchema> {
  const { _id: id, accountId, kind, name, description, url, headers, ratePerSecond, secrets } = target;
  const { deliveredAt, lastFailure } = queue;
  return {
    id,
    accountId,
    kind,
    name,
    description,
    host: URL.canParse(url) ? new URL(url).host : "",
    headers: headers.map((header) => header.name),
    ratePerSecond,
    secrets: secrets.map(({ createdAt, expiresAt }) => ({
      createdAt: timestampFromDate(createdAt),
      ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }),
    })),
    state: stateOf(queue),
    ...(deliveredAt && { lastDeliveredAt: timestampFromDate(deliveredAt) }),
    ...(lastFailure && {
      lastFailedAt: timestampFromDate(lastFailure.at),
      lastFailure: lastFailure.detail,
      lastFailureParts: toTextParts(lastFailure.detailParts ?? []),
    }),
    createdAt: timestampFromDate(target.createdAt),
    updatedAt: timestampFromDate(target.updatedAt),
    revision: targetRevision(target),
  };
}

function stateOf({ deliveredAt, lastFailure }: QueueState): "unused" | "working" | "failing" {
  if (lastFailure && !(deliveredAt && deliveredAt >= lastFailure.at)) return "failing";
  return deliveredAt ? "working" : "unused";
}

export function toTargetDelivery(
  delivery: TargetDeliveryDocument,
): MessageInitShape<typeof TargetDeliverySchema> {
  const { _id: id, endpointId: targetId, targetName, targetKind: kind, eventId, type } = delivery;
  const {
    ruleName: rule,
    incidentId = "",
    number,
    at,
    state,
    attempts,
    dueAt,
    endedAt,
    endReason,
    endReasonParts,
  } = delivery;
  const last = delivery.tries.at(-1);
  const tried = last ? triedPhrase(last) : NO_PHRASE;
  return {
    id,
    targetId,
    targetName,
    kind,
    eventId,
    type,
    rule,
    incidentId,
    number,
    at: timestampFromDate(at),
    state,
    attempts,
    ...(dueAt && { dueAt: timestampFromDate(dueAt) }),
    ...(endedAt && { endedAt: timestampFromDate(endedAt) }),
    status: last?.status ?? 0,
    detail: endReason ?? tried.text,
    detailParts: toTextParts(endReason === undefined ? tried.parts : (endReasonParts ?? [])),
    answer: last?.answer ?? "",
  };
}

/**
 * Deliveries of an entry in the history of an incident.
 * @param stored deliveries of the incident, by id
 */
export function toEntryDeliveries(
  { at, posts = [] }: Pick<HistoryEntry, "at" | "posts">,
  stored: ReadonlyMap<string, TargetDeliveryDocument>,
): MessageInitShape<typeof TargetDeliverySchema>[] {
  return posts.map(({ targetId, eventId }) => {
    const id = webhookDeliveryId(targetId, eventId);
    const found = stored.get(id);
    return found
      ? toTargetDelivery(found)
      : { id, targetId, eventId, at: timestampFromDate(at), type: "incident.notice", state: "unknown" };
  });
}
