import { detailFields, phrase } from "../shared/phrase.ts";
import { type Incident, withoutSnooze } from "./incident.ts";
import { oneLine } from "./incident-title.ts";
import { firstStep } from "./notice.ts";
import type { NotifySettings } from "./rule.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

/** Change of an incident by a member, the operator or a job. */
export interface ByMember {
  readonly at: Date;
  /** Name of the actor, for people. */
  readonly by: string;
}

export interface ByMemberOfRule extends ByMember {
  /** Settings of the rule version with which the incident was opened. */
  readonly notify: NotifySettings;
}

/**
 * Suppresses all notices of an open incident until a time, except that of its resolution. A notice with fixed contents, and those
 * that wait for a digest, are still sent. Escalation stops. Returns false if the incident is resolved.
 *
 * The snooze ends at its time with a notice of all active alerts, and earlier when the severity of the incident or of one of its
 * alerts rises, with a critical alert that no notice has named, and with an acknowledgement.
 */
export function snooze(unit: UnitOfWork, id: string, { at, by, until }: ByMember & { until: Date }): boolean {
  const incident = unit.incident(id);
  if (!incident?.open) return false;
  if (incident.snoozedUntil?.getTime() === until.getTime()) return true;
  const { escalation: _, risenAt: __, ...rest } = withoutSnooze(incident);
  unit.put({ ...rest, snoozedUntil: until, snoozedBy: by, updatedAt: at });
  unit.note(id, {
    at,
    kind: "snoozed",
    ...detailFields(phrase("incident.snoozed", { by, until: until.toISOString() })),
  });
  return true;
}

/** Ends a snooze before its time. Notices that are due since then are sent now. Returns false if the incident is not snoozed. */
export function endSnooze(unit: UnitOfWork, id: string, { at, by, notify }: ByMemberOfRule): boolean {
  const incident = unit.incident(id);
  if (!incident?.snoozedUntil) return false;
  unit.put(withEscalation({ ...withoutSnooze(incident), updatedAt: at }, notify, at));
  unit.note(id, { at, kind: "snooze_ended", detail: by });
  return true;
}

/** The time of a snooze is over. The incident is open again, even if it was acknowledged before the snooze. */
export function expireSnooze(unit: UnitOfWork, incident: Incident, now: Date): void {
  const { acknowledgedAt: _, acknowledgedBy: __, ...rest } = withoutSnooze(incident);
  const { _id: id, lastNoticeAt, snoozedUntil: at = now } = incident;
  // Before the first notice there is nothing to follow up.
  const remind = lastNoticeAt && { remind: { at, reason: "snooze_ended" as const } };
  unit.put({ ...rest, state: "open", updatedAt: now, ...remind });
  unit.note(id, { at: now, kind: "snooze_ended", ...detailFields(phrase("incident.snooze_over")) });
}

/**
 * Withdraws an acknowledgement. It sends nothing by itself: news and repeats that are due since then are sent now, and escalation
 * begins with its first step. Returns false if the incident is not acknowledged.
 */
export function unacknowledge(unit: UnitOfWork, id: string, { at, by, notify }: ByMemberOfRule): boolean {
  const incident = unit.incident(id);
  if (incident?.state !== "acknowledged") return false;
  const { acknowledgedAt: _, acknowledgedBy: __, ...rest } = incident;
  unit.put(withEscalation({ ...rest, state: "open", updatedAt: at }, notify, at));
  unit.note(id, { at, kind: "unacknowledged", detail: by });
  return true;
}

/** The first notice, and that at the end of a snooze, begin the escalation themselves. */
function withEscalation(incident: Incident, { escalation: settings }: NotifySettings, at: Date): Incident {
  const { state, lastNoticeAt, snoozedUntil } = incident;
  const escalation = state === "open" && lastNoticeAt && !snoozedUntil ? firstStep(settings, at) : undefined;
  return escalation ? { ...incident, escalation } : incident;
}

/** @param user undefined: no member works on it any more */
export function assign(
  unit: UnitOfWork,
  id: string,
  { at, by, user }: ByMember & { readonly user: { readonly id: string; readonly name: string } | undefined },
): boolean {
  const incident = unit.incident(id);
  if (!incident || incident.assignee === user?.id) return false;
  const { assignee: _, ...rest } = incident;
  unit.put({ ...rest, updatedAt: at, ...(user && { assignee: user.id }) });
  const detail = user
    ? phrase("incident.assigned", { member: user.name, by })
    : phrase("incident.unassigned", { by });
  unit.note(id, { at, kind: "assigned", ...detailFields(detail) });
  return true;
}

/** Maximum number of notes of an incident. */
const MAX_NOTES = 500;

/** Adds a note to the history. Returns false if the incident has too many. */
export function addNote(
  unit: UnitOfWork,
  id: string,
  { at, by, text }: ByMember & { readonly text: string },
): boolean {
  const incident = unit.get(id);
  const { noteCount = 0 } = incident;
  if (noteCount >= MAX_NOTES) return false;
  unit.put({ ...incident, noteCount: noteCount + 1, updatedAt: at });
  unit.note(id, { at, kind: "note", detail: text, by: oneLine(by, 320) });
  return true;
}
