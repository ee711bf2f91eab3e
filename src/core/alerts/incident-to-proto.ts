import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  AlertLineSchema,
  FiringThingSchema,
  IncidentEntrySchema,
  IncidentSchema,
} from "../../../gen/hermod/incident/v1/incident_service_pb.ts";
import { dueOf, nextNoticeAt } from "../../alerts/due.ts";
import {
  type AlertSummary,
  type Firing,
  type Incident,
  occurrencesOf,
  sinceOf,
} from "../../alerts/incident.ts";
import { type HistoryEntry, isForRecipients } from "../../alerts/incident-history.ts";
import type { TargetDeliveryDocument } from "../../store/target-documents.ts";
import { toTextParts } from "../text-parts.ts";
import type { RuleSets } from "./rule-sets.ts";
import { toEntryDeliveries } from "./target-to-proto.ts";

/**
 * @param ruleSets rule sets that contain the version of the incident's rule (see `learn`)
 * @param emails addresses of the account's members, by user id; others are not assignees
 */
export function toIncident(
  incident: Incident,
  ruleSets: Pick<RuleSets, "notifyOf">,
  emails: ReadonlyMap<string, string> = new Map(),
): MessageInitShape<typeof IncidentSchema> {
  const { _id: id, accountId, ruleName: rule, ruleVersion, state, title, severity } = incident;
  const { alerts, firing, notices, acknowledgedBy, resolvedBy, heldBy = "", flapping = false } = incident;
  const { snoozedBy = "", noteCount = 0, assignee: userId = "" } = incident;
  const email = emails.get(userId);
  const at = (name: string, time: Date | undefined) => (time ? { [name]: timestampFromDate(time) } : {});
  return {
    id,
    accountId,
    rule,
    ruleVersion,
    state,
    title,
    severity,
    alerts,
    firing,
    notices,
    occurrences: occurrencesOf(incident),
    heldBy,
    flapping,
    trouble: incident.pending?.trouble?.detail ?? "",
    acknowledgedBy: acknowledgedBy ?? "",
    resolvedBy: resolvedBy ?? "",
    resolvedByParts: toTextParts(incident.resolvedByParts ?? []),
    snoozedBy,
    notes: noteCount,
    ...(email !== undefined && { assignee: { userId, email } }),
    ...at("openedAt", incident.openedAt),
    ...at("since", sinceOf(incident)),
    ...at("updatedAt", incident.updatedAt),
    ...at("acknowledgedAt", incident.acknowledgedAt),
    ...at("resolvedAt", incident.resolvedAt),
    ...at("lastNoticeAt", incident.lastNoticeAt),
    ...at("snoozedUntil", incident.snoozedUntil),
    ...at("nextNoticeAt", nextNoticeAt(dueOf(incident, ruleSets.notifyOf(incident)))),
    latest: toLine(incident.latest),
  };
}

function toLine(summary: AlertSummary): MessageInitShape<typeof AlertLineSchema> {
  const { alertId, at, eventType, severity, source, message, entityType = "", entityId = "" } = summary;
  return { alertId, at: timestampFromDate(at), eventType, severity, source, message, entityType, entityId };
}

export function toFiring(firing: Firing): MessageInitShape<typeof FiringThingSchema> {
  const { alertId, alert, firstAt, lastAt, count } = firing;
  const { context: _, ...words } = alert;
  const { entityType, entityId, ...rest } = words;
  const line = { ...rest, ...(entityType && { entityType }), ...(entityId && { entityId }) };
  return { latest: toLine({ alertId, at: lastAt, ...line }), since: timestampFromDate(firstAt), count };
}

/** @param deliveries deliveries of the incident to alert targets, by id */
export function toEntry(
  entry: HistoryEntry,
  deliveries: ReadonlyMap<string, TargetDeliveryDocument>,
): MessageInitShape<typeof IncidentEntrySchema> {
  const { at, kind, detail, detailParts = [], by = "", messageIds = [] } = entry;
  return {
    at: timestampFromDate(at),
    kind,
    detail,
    detailParts: toTextParts(detailParts),
    by,
    messageIds: [...messageIds],
    deliveries: toEntryDeliveries(entry, deliveries),
  };
}

/** Entries without addresses of recipients, errors that only an operator can correct, notes and assignees. */
export function toPageEntries(
  history: readonly HistoryEntry[],
): MessageInitShape<typeof IncidentEntrySchema>[] {
  return history.filter(isForRecipients).map(({ at, kind, detail }) => {
    const isOthers = kind === "notice" || kind === "notice_failed";
    return { at: timestampFromDate(at), kind, detail: isOthers ? "" : detail };
  });
}
