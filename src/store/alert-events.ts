import type { IncidentNews } from "../alerts/unit-changes.ts";
import { newId } from "../shared/ids.ts";
import type { AlertDocument } from "./alert-documents.ts";
import type { OutboxEvent } from "./webhook-delivery-documents.ts";

/** Events for webhook endpoints and services. */

export function eventOfAlert({ _id, at, traceId, status, alert, outcome }: AlertDocument): OutboxEvent {
  const { context: _, ...words } = alert;
  const decision = { status: outcome.status, incidentIds: outcome.incidentIds };
  const subject = { kind: "alert", alertId: _id, traceId, status, alert: words, outcome: decision } as const;
  return { eventId: `${_id}.received`, type: "alert.received", at, subject };
}

export function eventOfIncident({ type, at, incident, detail }: IncidentNews): OutboxEvent {
  const { _id: incidentId, ruleName, state, severity, title, alerts, firing, openedAt } = incident;
  const { resolvedAt, latest } = incident;
  const decision = { incidentId, ruleName, state, severity, title, alerts, firing, openedAt };
  const more = { latestAlertId: latest.alertId, detail, ...(resolvedAt && { resolvedAt }) };
  return { eventId: newId("evt", at), type, at, subject: { kind: "incident", ...decision, ...more } };
}
