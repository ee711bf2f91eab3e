import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  AlertLineSchema,
  FiringThingSchema,
  IncidentEntrySchema,
  IncidentSchema,
} from "../../../gen/hermod/incident/v1/incident_service_pb.ts";
import { dueOf } from "../../alerts/due.ts";
import {
  type AlertSummary,
  type Firing,
  type HistoryEntry,
  type Incident,
  occurrencesOf,
  sinceOf,
} from "../../alerts/incident.ts";
import type { RuleSets } from "./rule-sets.ts";

/** @param ruleSets rule sets that contain the version of the incident's rule (see `learn`) */
export function toIncident(
  incident: Incident,
  ruleSets: Pick<RuleSets, "notifyOf">,
): MessageInitShape<typeof IncidentSchema> {
  const { _id: id, accountId, ruleName: rule, ruleVersion, state, title, severity } = incident;
  const { alerts, firing, notices, acknowledgedBy, resolvedBy, heldBy = "", flapping = false } = incident;
  const due = dueOf(incident, ruleSets.notifyOf(incident));
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
    ...at("openedAt", incident.openedAt),
    ...at("since", sinceOf(incident)),
    ...at("updatedAt", incident.updatedAt),
    ...at("acknowledgedAt", incident.acknowledgedAt),
    ...at("resolvedAt", incident.resolvedAt),
    ...at("lastNoticeAt", incident.lastNoticeAt),
    ...at("nextNoticeAt", due?.what === "quiet" || due?.what === "removed" ? undefined : due?.at),
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

export function toEntry(entry: HistoryEntry): MessageInitShape<typeof IncidentEntrySchema> {
  const { at, kind, detail, messageIds = [] } = entry;
  return { at: timestampFromDate(at), kind, detail, messageIds: [...messageIds] };
}

/** An entry without the addresses of recipients and without errors that only an operator can correct. */
export function toPageEntry({
  at,
  kind,
  detail,
}: HistoryEntry): MessageInitShape<typeof IncidentEntrySchema> {
  const isOthers = kind === "notice" || kind === "notice_failed";
  return { at: timestampFromDate(at), kind, detail: isOthers ? "" : detail };
}
