import { detailFields, type Phrase, phrase, phrases } from "../shared/phrase.ts";
import { type Alert, type Severity, severityRank } from "./alert.ts";
import { groupKeyOf } from "./group-key.ts";
import {
  type AlertLink,
  type AlertSummary,
  type Firing,
  type Incident,
  occurrencesOf,
  sinceOf,
  withoutSnooze,
} from "./incident.ts";
import { type Cause, causeFields, causeText } from "./incident-history.ts";
import { incidentTitle, oneLine } from "./incident-title.ts";
import { keptContext } from "./kept-context.ts";
import { isUntoldCritical, knownRank, notifiedSeverityOf } from "./notified-severity.ts";
import { isOutdated } from "./occurrence.ts";
import type { NotifySettings } from "./rule.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

/** Current version of a rule that takes an alert. */
export interface TakingRule {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly notify: NotifySettings;
}

/** Received alert. */
export interface IncomingAlert {
  readonly id: string;
  readonly accountId: string;
  readonly at: Date;
  readonly alert: Alert;
  readonly links: readonly AlertLink[];
  readonly fingerprint: string;
  /** Result of `occurrenceOf`; missing if the source gave no time. */
  readonly occurredAt?: Date | undefined;
}

export interface Fire {
  readonly rule: TakingRule;
  readonly incoming: IncomingAlert;
  /** Notifications are currently suppressed. */
  readonly isMuted: boolean;
  /** Id for a new incident, if one is opened. */
  readonly newId: string;
  /** Previous incident of the same rule and group; undefined if there was none. */
  readonly former: Incident | undefined;
}

/** Effect of an alert on an incident: new information, a repeat, or an update of an acknowledged incident. */
export type Taken = "news" | "repeat" | "acknowledged" | "stopped";

/** An incident is marked as flapping after this number of openings within this time. */
export const FLAPPING_MS = 10 * 60_000;
const FLAPPING_TIMES = 4;
const MAX_REOPENINGS = 20;

/** Adds an active alert to the incident of a rule. The incident must still be settled. */
export function fire(unit: UnitOfWork, { rule, incoming, isMuted, newId, former }: Fire) {
  const { at } = incoming;
  const groupKey = groupKeyOf(incoming, rule.notify.groupBy);
  const open = unit.openOf(rule.id, groupKey);
  const incidentId = open?._id ?? newId;
  if (!open) {
    unit.put(newIncident(newId, { rule, incoming, groupKey, former }));
    const opened = phrase("incident.opened", { rule: rule.name, version: rule.version });
    unit.note(incidentId, { at, kind: "opened", ...detailFields(opened) });
  }
  const effect = addFiring(unit, unit.get(incidentId), incoming, isMuted);
  if (!open) {
    const incident = unit.get(incidentId);
    unit.emit({ type: "incident.opened", at, incident, detail: rule.name });
  }
  return { incidentId, effect };
}

function newIncident(
  _id: string,
  { rule, incoming, groupKey, former }: Pick<Fire, "rule" | "incoming" | "former"> & { groupKey: string },
): Incident {
  const { accountId, at, alert } = incoming;
  const since = at.getTime() - FLAPPING_MS;
  const openings = former ? [...former.reopenings, former.openedAt] : [];
  const reopenings = openings.filter((one) => one.getTime() > since).slice(-MAX_REOPENINGS);
  return {
    _id,
    accountId,
    groupKey,
    ruleId: rule.id,
    ruleVersion: rule.version,
    ruleName: rule.name,
    open: true,
    state: "open",
    title: incidentTitle(alert),
    severity: alert.severity,
    latest: summaryOf(incoming),
    openedAt: at,
    updatedAt: at,
    ...NO_ALERTS,
    threads: [],
    reopenings,
    ...(reopenings.length + 1 >= FLAPPING_TIMES && { flapping: true }),
    entries: 0,
    revision: 0,
  };
}

const NO_ALERTS = { alerts: 0, occurrences: 0, firing: 0, untold: 0, notices: 0 };

function addFiring(unit: UnitOfWork, former: Incident, incoming: IncomingAlert, isMuted: boolean): Taken {
  const { at, alert, fingerprint, id: alertId, accountId, links, occurredAt } = incoming;
  const present = unit.firing(former._id, fingerprint);
  const incident: Incident = {
    ...former,
    alerts: former.alerts + 1,
    occurrences: occurrencesOf(former) + 1,
    updatedAt: at,
    latest: summaryOf(incoming),
    ...(occurredAt && occurredAt < sinceOf(former) && { since: occurredAt }),
  };
  const rank = severityRank(alert.severity);
  const isLate = present !== undefined && isOutdated(occurredAt, present.occurredAt);
  // The current state is newer. A higher severity counts in any case, so that no critical alert is lost.
  if (isLate && rank <= severityRank(present.alert.severity)) {
    unit.put({ ...incident, latest: former.latest });
    unit.countFiring({ ...present, count: present.count + 1 });
    return incident.stopped ? "stopped" : "repeat";
  }
  const hasRisen = rank > severityRank(incident.severity);
  const isWorse = present !== undefined && rank > knownRank(present);
  const isNews = !present || hasRisen || isWorse;
  const isUntold = isNews || present.untold === true;
  const isCritical = alert.severity === "critical";
  const { context, isWhole } = keptContext(alert.context);
  const active: Firing = {
    _id: `${incident._id}.${fingerprint}`,
    accountId,
    incidentId: incident._id,
    fingerprint,
    alertId,
    links,
    alert: { ...alert, context },
    ...(isWhole && { isWhole: true }),
    firstAt: present?.firstAt ?? occurredAt ?? at,
    lastAt: at,
    count: (present?.count ?? 0) + 1,
    ...(occurredAt && { occurredAt: isLate ? present.occurredAt : occurredAt }),
    rank,
    ...(present && notifiedSeverityOf(present)),
    ...(isUntold && { untold: true }),
  };
  unit.putFiring(active, alert);
  const { heldUntil, restHeldUntil, ...rest } = incident;
  const endsSnooze = incident.snoozedUntil !== undefined && isNews && isCritical;
  const isUrgent = hasRisen || (isWorse && isCritical) || endsSnooze;
  const wasCritical = present !== undefined && isUntoldCritical(present);
  unit.put({
    ...rest,
    // This alert is not subject to the suppression of the others. The next due time considers the higher severity.
    ...(heldUntil && (!isNews || isMuted) && { heldUntil }),
    ...(restHeldUntil && (!isUrgent || isMuted) && { restHeldUntil }),
    firing: incident.firing + (present ? 0 : 1),
    untold: incident.untold + (isNews && !present?.untold ? 1 : 0),
    untoldCritical: (incident.untoldCritical ?? 0) + Number(isUntold && isCritical) - Number(wasCritical),
    quietestAt: incident.quietestAt ?? at,
  });
  if (isUrgent) rise(unit, incident._id, { incoming, from: present?.alert.severity });
  if (incident.stopped) return "stopped";
  if (!isNews) return "repeat";
  return incident.state === "acknowledged" && !isUrgent && !isCritical ? "acknowledged" : "news";
}

/** Minimum interval between notices of a higher severity while the severity of the incident stays the same. */
const RISE_INTERVAL_MS = 60_000;

/**
 * A higher severity is notified at once, even if the incident is acknowledged, because the acknowledgement covered a lower
 * severity.
 */
function rise(
  unit: UnitOfWork,
  incidentId: string,
  { incoming, from }: { readonly incoming: IncomingAlert; readonly from: Severity | undefined },
): void {
  const { at, alert } = incoming;
  const incident = unit.get(incidentId);
  const { acknowledgedAt: _, acknowledgedBy: __, ...awake } = incident;
  const { snoozedUntil, snoozedBy: ___, ...rest } = awake;
  const { lastNoticeAt, risenAt } = incident;
  const hasRisen = severityRank(alert.severity) > severityRank(incident.severity);
  const earliestMs = hasRisen ? 0 : (lastNoticeAt?.getTime() ?? 0) + RISE_INTERVAL_MS;
  const dueMs = Math.max(at.getTime(), earliestMs);
  unit.put({
    ...rest,
    state: "open",
    severity: hasRisen ? alert.severity : incident.severity,
    ...(hasRisen && { title: incidentTitle(alert), firstTitle: incident.firstTitle ?? incident.title }),
    // Before the first notice there is nothing to follow up.
    ...(lastNoticeAt && { risenAt: new Date(Math.min(dueMs, risenAt?.getTime() ?? dueMs)) }),
  });
  const { severity } = alert;
  const name = alert.entityId === undefined ? "" : oneLine(alert.entityId, 60);
  const ofAlert = from
    ? phrase("incident.alert_risen", { name, from, to: severity })
    : phrase("incident.alert_new", { name, severity });
  const detail = phrases(
    hasRisen ? phrase("incident.risen", { from: incident.severity, to: severity }) : ofAlert,
    snoozedUntil && phrase("incident.ends_snooze"),
  );
  unit.note(incidentId, { at, kind: "risen", ...detailFields(detail) });
}

export interface Clearing {
  readonly at: Date;
  readonly by: Cause;
  /** Alert that reports the resolution; missing if there is none. */
  readonly latest?: AlertSummary;
}

/** Removes a resolved alert from its incident, and resolves the incident with its last alert. */
export function clear(unit: UnitOfWork, firing: Firing, { at, by, latest }: Clearing): void {
  const incident = unit.incident(firing.incidentId);
  if (!incident?.open) return;
  unit.removeFiring(firing);
  unit.releaseSources(firing.fingerprint);
  const left: Incident = {
    ...incident,
    updatedAt: at,
    ...(latest && { latest, alerts: incident.alerts + 1 }),
    firing: incident.firing - 1,
    untold: incident.untold - (firing.untold ? 1 : 0),
    untoldCritical: (incident.untoldCritical ?? 0) - Number(isUntoldCritical(firing)),
  };
  unit.put(left);
  if (left.firing > 0) return;
  if (!left.uncounted) resolve(unit, left._id, at, by);
  else unit.note(left._id, { at, kind: "held", ...detailFields(uncountedPhrase(left.uncounted)) });
}

/** An incident stays open while it may contain alerts that are not among the active ones. */
const uncountedPhrase = (count: number): Phrase =>
  count === 1 ? phrase("incident.uncounted_one") : phrase("incident.uncounted", { count });

/**
 * Resolves an incident. Recipients that were notified of it will be notified of the resolution. Returns false if the incident
 * was already resolved.
 */
export function resolve(unit: UnitOfWork, incidentId: string, at: Date, by: Cause): boolean {
  const incident = unit.incident(incidentId);
  if (!incident?.open) return false;
  for (const { fingerprint } of unit.firingsOf(incidentId)) unit.releaseSources(fingerprint);
  unit.removeFirings(incidentId);
  const { open: _, escalation: __, risenAt: ___, ...held } = incident;
  const { heldUntil: ____, restHeldUntil: _____, heldBy: ______, ...rest } = withoutSnooze(held);
  const over = { state: "resolved", resolvedAt: at, resolvedBy: causeText(by), updatedAt: at } as const;
  const parts = typeof by === "string" ? {} : { resolvedByParts: by.parts };
  const endedWith = incident.firing > 0 ? { endedWith: incident.firing } : {};
  unit.put({ ...rest, ...over, ...parts, ...endedWith, firing: 0, untold: 0, untoldCritical: 0 });
  unit.note(incidentId, { at, kind: "resolved", ...causeFields(by) });
  unit.emit({ type: "incident.resolved", at, incident: unit.get(incidentId), detail: causeText(by) });
  return true;
}

/**
 * Acknowledges an incident. After that only a higher severity, critical alerts that no notice has named, and the resolution are
 * notified. A snooze ends. Returns false if the incident is not open.
 */
export function acknowledge(unit: UnitOfWork, incidentId: string, at: Date, by: string): boolean {
  const incident = unit.incident(incidentId);
  if (incident?.state !== "open") return false;
  const { escalation: _, risenAt: __, ...rest } = withoutSnooze(incident);
  unit.put({ ...rest, state: "acknowledged", acknowledgedAt: at, acknowledgedBy: by, updatedAt: at });
  unit.note(incidentId, { at, kind: "acknowledged", detail: by });
  unit.emit({ type: "incident.acknowledged", at, incident: unit.get(incidentId), detail: by });
  return true;
}

export function summaryOf({
  id: alertId,
  at,
  alert,
  occurredAt,
}: Pick<IncomingAlert, "id" | "at" | "alert" | "occurredAt">): AlertSummary {
  const { eventType, severity, source, message, entityType, entityId } = alert;
  return {
    alertId,
    at,
    ...(occurredAt && { occurredAt }),
    eventType,
    severity,
    source,
    message,
    ...(entityType !== undefined && { entityType }),
    ...(entityId !== undefined && { entityId }),
  };
}
