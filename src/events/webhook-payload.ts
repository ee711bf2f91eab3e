import { exampleOf } from "../../contracts/common/event-examples.ts";
import { TEST_TYPE, type WebhookType } from "../../contracts/common/webhook-types.ts";
import { type EventPayload, type PayloadVersion, payloadVersions } from "../../contracts/events.ts";
import { shownId } from "../shared/suppression-id.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import type { EventDocument, EventHit, MessageDocument } from "../store/message-documents.ts";
import type { EventSubject, WebhookDeliveryDocument } from "../store/webhook-delivery-documents.ts";
import type { WebhookEndpointDocument } from "../store/webhook-documents.ts";

/** Version that new endpoints are pinned to. */
export const PAYLOAD_VERSION = payloadVersions[0];

type ReportedEvent = Pick<WebhookDeliveryDocument, "eventId" | "type" | "at" | "accountId">;

/** Payload without `data` (Standard Webhooks: `type`, `timestamp`, `data`). */
function envelope({ eventId: id, type, at, accountId: account_id }: ReportedEvent, version: string) {
  const known = payloadVersions.find((one) => one === version) ?? PAYLOAD_VERSION;
  return { id, type, version: known satisfies PayloadVersion, timestamp: at.toISOString(), account_id };
}

/** Facts of a message event. */
export interface MessageFacts {
  readonly message: MessageDocument;
  /** Missing if the message was just stored. */
  readonly event: EventDocument | undefined;
  /** Number of the event within the message, from 1. */
  readonly sequence: number;
}

/** @param version payload version of the endpoint */
export function messagePayload(
  reported: ReportedEvent,
  version: string,
  { message, event, sequence }: MessageFacts,
) {
  const data = {
    message_id: message._id,
    sx_trace_id: message.traceId,
    sequence,
    from: message.from,
    recipient: message.recipient,
    routing_policy: message.policy,
    tags: message.tags ?? [],
    metadata: message.metadata ?? {},
    ...(message.sendAt && reported.type === "message.scheduled" && { send_at: message.sendAt.toISOString() }),
    ...(event && event.kind !== "unsubscribed" && (event.hit ? hitOf(event.hit) : attemptOf(event))),
    ...(event?.kind === "captured" && { sandbox: true }),
  };
  return { ...envelope(reported, version), data } as EventPayload;
}

function hitOf({ first, machineReason, proxy, url, userAgent, clientAddress }: EventHit) {
  return {
    first: first === true,
    machine: machineReason !== undefined,
    ...withoutUndefined({ machine_reason: machineReason, proxy, url }),
    ...withoutUndefined({ user_agent: userAgent, client_address: clientAddress }),
  };
}

function attemptOf(event: EventDocument) {
  const { kind, attempt, via, replyCode, enhancedStatusCode, category, detail, suppression } = event;
  const { nextAttemptAt, nextAttemptReason } = event;
  const reply = via !== undefined && {
    reply: withoutUndefined({ server: via, code: replyCode, enhanced_code: enhancedStatusCode }),
  };
  return {
    attempt,
    detail: detail ?? "",
    ...reply,
    ...withoutUndefined({ category }),
    ...(kind === "deferred" &&
      nextAttemptAt && {
        next_attempt_at: nextAttemptAt.toISOString(),
        ...withoutUndefined({ next_attempt_reason: nextAttemptReason }),
      }),
    ...(kind === "suppressed" &&
      suppression && {
        suppression_id: shownId(suppression),
        ...withoutUndefined({ suppressed_policy: suppression.policy }),
      }),
  };
}

/** @param version payload version of the endpoint */
export function subjectPayload(reported: ReportedEvent, version: string, subject: EventSubject) {
  return { ...envelope(reported, version), data: subjectOf(subject, reported.type) } as EventPayload;
}

function subjectOf(subject: EventSubject, type: string) {
  if (subject.kind === "domain") return subject.change;
  if (subject.kind === "watch") return watchOf(subject.change);
  if (subject.kind === "report") return reportOf(subject.report);
  if (subject.kind === "suppression") return suppressionOf(subject.entry);
  if (subject.kind === "alert") return alertOf(subject);
  if (subject.kind === "incident") return incidentOf(subject, type);
  const { endpointId: endpoint_id, host } = subject;
  if (subject.kind === "webhook_outage") {
    const { since, detail } = subject;
    return { endpoint_id, host, since: since.toISOString(), ...withoutUndefined({ detail }) };
  }
  if (subject.kind === "webhook_exhausted") {
    const { deliveryId: delivery_id, exhaustedId: event_id, eventType: event_type } = subject;
    const { attempts, detail } = subject;
    return { endpoint_id, host, delivery_id, event_id, event_type, attempts, detail };
  }
  const { reason, detail } = subject.disabled;
  return { endpoint_id, host, reason, detail };
}

function suppressionOf(entry: Extract<EventSubject, { kind: "suppression" }>["entry"]) {
  const { address, reason, policy, messageId, detail, createdAt, expireAt } = entry;
  return {
    suppression_id: shownId(entry),
    address,
    reason,
    ...withoutUndefined({ routing_policy: policy, message_id: messageId, detail }),
    created_at: createdAt.toISOString(),
    ...(expireAt && { expires_at: expireAt.toISOString() }),
  };
}

function alertOf({ alertId, traceId, status, alert, outcome }: Extract<EventSubject, { kind: "alert" }>) {
  const { eventType: event_type, severity, source, message, entityType, entityId } = alert;
  return {
    alert_id: alertId,
    sx_trace_id: traceId,
    event_type,
    severity,
    source,
    message,
    ...withoutUndefined({ entity_type: entityType, entity_id: entityId }),
    alert_status: status,
    status: outcome.status,
    incident_ids: outcome.incidentIds,
  };
}

function incidentOf(subject: Extract<EventSubject, { kind: "incident" }>, type: string) {
  const { incidentId, ruleName: rule, state, severity, title, alerts, firing, detail } = subject;
  const { latestAlertId: latest_alert_id, openedAt, resolvedAt } = subject;
  return {
    incident_id: incidentId,
    rule,
    state,
    severity,
    title,
    alerts,
    firing,
    latest_alert_id,
    opened_at: openedAt.toISOString(),
    detail,
    ...(resolvedAt && type === "incident.resolved" && { resolved_at: resolvedAt.toISOString() }),
  };
}

/** Payload of a test event. For another type than `webhook.test` it is the example of that type. */
export function testPayload(
  type: WebhookType | typeof TEST_TYPE,
  {
    eventId,
    at,
    endpoint,
  }: Pick<ReportedEvent, "eventId" | "at"> & { readonly endpoint: WebhookEndpointDocument },
) {
  const { _id: endpoint_id, accountId, version } = endpoint;
  const { data } = exampleOf(type);
  const own = type === TEST_TYPE && { endpoint_id };
  const reported = envelope({ eventId, type, at, accountId }, version);
  return { ...reported, test: true, data: { ...data, ...own } } as EventPayload;
}

function watchOf(change: Extract<EventSubject, { kind: "watch" }>["change"]) {
  const { workspaceId: workspace_id, clientId: client_id, domainId: domain_id, checkId: check_id } = change;
  const { domain, severity, from, to, list, subject, text } = change;
  return {
    workspace_id,
    client_id,
    domain_id,
    domain,
    text,
    ...withoutUndefined({ check_id, severity, from, to, list, subject }),
  };
}

function reportOf({ _id, workspaceId, scope, period }: Extract<EventSubject, { kind: "report" }>["report"]) {
  return {
    report_id: _id,
    workspace_id: workspaceId,
    scope,
    period_from: period.from.toISOString(),
    period_to: period.to.toISOString(),
  };
}
