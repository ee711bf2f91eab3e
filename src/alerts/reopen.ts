import { type Alert, type Severity, severityRank } from "./alert.ts";
import type { AlertLink, Firing, Incident } from "./incident.ts";
import type { ByMember } from "./incident-work.ts";
import { keptContext } from "./kept-context.ts";
import type { Mutes } from "./mutes.ts";
import { isUntoldCritical } from "./notified-severity.ts";
import { isOutdated, occurrenceOf } from "./occurrence.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

/** A stored alert, as the history of an incident needs it. */
export interface Report {
  readonly id: string;
  readonly at: Date;
  readonly occurredAt?: Date;
  readonly status: "firing" | "resolved" | "acknowledged";
  readonly alert: Alert;
  readonly links: readonly AlertLink[];
  readonly fingerprint: string;
  /** A later report about the same problem had arrived before. */
  readonly isOutdated: boolean;
}

/** An alert that was active when its incident ended. */
export interface Active {
  readonly report: Report;
  /** Time of the earliest report that was read. */
  readonly firstAt: Date;
  readonly count: number;
}

/**
 * Alerts of an incident with a latest report as active.
 * @param newestFirst reports of the incident
 */
export function activeAmong(newestFirst: readonly Report[]): Active[] {
  const found = new Map<string, Active>();
  const over = new Set<string>();
  for (const report of newestFirst) {
    const { fingerprint, status, at, isOutdated: isLate } = report;
    const known = found.get(fingerprint);
    if (status === "resolved" && !isLate && !known) over.add(fingerprint);
    if (status !== "firing" || over.has(fingerprint)) continue;
    found.set(fingerprint, { report: known?.report ?? report, firstAt: at, count: (known?.count ?? 0) + 1 });
  }
  return [...found.values()];
}

/**
 * Whether the source of an alert has resolved it since.
 * @param latest latest stored alert about the same problem, as active or resolved
 */
export function isOver({ report }: Active, latest: Report | undefined): boolean {
  if (latest?.status !== "resolved" || latest.at < report.at) return false;
  const { at, occurredAt } = report;
  const last = occurrenceOf(occurredAt, at);
  return !isOutdated(occurrenceOf(latest.occurredAt, latest.at), last);
}

export interface Reopening extends ByMember {
  /** Alerts that are still active, as far as Hermod knows. */
  readonly active: readonly Active[];
  /** Number of alerts that ended since the incident was resolved. */
  readonly over: number;
  /** Number of alerts that may be active, and were not read. */
  readonly beyond: number;
  /** The rule is disabled: only the resolution is notified. */
  readonly isStopped: boolean;
  readonly mutes: Pick<Mutes, "inhibits" | "sourcesOf">;
}

/**
 * Opens a resolved incident again, with the alerts that are still active. Recipients that were notified of it are notified that it
 * is open again, and escalation begins with that notice. An incident without a known active alert stays open until a member
 * resolves it. There must be no other open incident of its rule and group.
 */
export function reopen(unit: UnitOfWork, id: string, reopening: Reopening): void {
  const { at, by, active, over, beyond, isStopped, mutes } = reopening;
  const { expireAt: _, resolvedAt: __, resolvedBy: ___, resolvedByParts: ____, ...former } = unit.get(id);
  const { acknowledgedAt: _____, acknowledgedBy: ______, stopped: _______, ...kept } = former;
  const { endedWith = 0, uncounted = 0, quietestAt: ________, ...incident } = kept;
  const { lastNoticeAt } = incident;
  const firings = active.map((one) => firingOf(incident, one, reopening));
  const untold = firings.filter((firing) => firing.untold);
  const missing = Math.max(beyond, endedWith - over - firings.length);
  const unknown = Math.max(uncounted + missing, firings.length > 0 ? 0 : 1);
  unit.put({
    ...incident,
    open: true,
    state: "open",
    updatedAt: at,
    firing: firings.length,
    untold: untold.length,
    untoldCritical: untold.filter(isUntoldCritical).length,
    ...(unknown > 0 && { uncounted: unknown }),
    ...(firings.length > 0 && { quietestAt: at }),
    ...(isStopped && { stopped: true }),
    ...(lastNoticeAt && { remind: { at, reason: "reopened" } }),
  });
  for (const [index, firing] of firings.entries()) {
    const whole = active[index]?.report.alert ?? firing.alert;
    const heard = { alert: whole, fingerprint: firing.fingerprint };
    if (mutes.inhibits) unit.putSources(firing.fingerprint, mutes.sourcesOf(heard, true, at));
    unit.putFiring(firing, whole);
  }
  unit.note(id, { at, kind: "reopened", detail: by });
  unit.emit({ type: "incident.opened", at, incident: unit.get(id), detail: `reopened by ${by}` });
}

/** Auto-resolve counts from the reopening. */
function firingOf(incident: Incident, { report, firstAt, count }: Active, { at }: ByMember): Firing {
  const { id: alertId, alert, links, fingerprint } = report;
  const { _id: incidentId, accountId, lastNoticeAt } = incident;
  const { context, isWhole } = keptContext(alert.context);
  const occurredAt = occurrenceOf(report.occurredAt, report.at);
  return {
    _id: `${incidentId}.${fingerprint}`,
    accountId,
    incidentId,
    fingerprint,
    alertId,
    links,
    alert: { ...alert, context },
    ...(isWhole && { isWhole: true }),
    firstAt,
    lastAt: at,
    count,
    ...(occurredAt && { occurredAt }),
    rank: severityRank(alert.severity),
    ...toldOf(alert.severity, lastNoticeAt),
  };
}

/** The notice of the reopening contains all active alerts. */
function toldOf(told: Severity, lastNoticeAt: Date | undefined): Pick<Firing, "told" | "untold"> {
  return lastNoticeAt ? { told } : { untold: true };
}
