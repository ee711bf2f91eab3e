import { detailFields, phrase } from "../shared/phrase.ts";
import { greatestSeverity } from "./alert.ts";
import { type Due, dueOf } from "./due.ts";
import { type Firing, type HoldReason, type Incident, isNews, type NoticeReason } from "./incident.ts";
import { clear, resolve } from "./incident-changes.ts";
import { expireSnooze } from "./incident-work.ts";
import type { Mute, Mutes } from "./mutes.ts";
import { freezeNotice, targetsOf } from "./notice.ts";
import { limitId } from "./notification-limits.ts";
import { quietUntil } from "./quiet-hours.ts";
import { addresseesOf, notifiedSchedules, type OnCallOf } from "./recipients.ts";
import { type NotifySettings, namedSchedules } from "./rule.ts";
import type { FiringReading } from "./unit-changes.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

export interface Settling {
  readonly now: Date;
  readonly mutes: Mutes;
  /** Returns the notification settings of the rule version with which an incident was opened. */
  readonly notifyOf: (incident: Pick<Incident, "ruleId" | "ruleVersion">) => NotifySettings;
  /** Returns the addresses that an on-call schedule notifies now. */
  readonly onCallOf: OnCallOf;
  /** Retention of resolved incidents. */
  readonly keptMs: number;
  /** Deadline for the process that fixed the contents of a notice to send it. Other processes wait until then. */
  readonly sendUntil: Date;
}

/** Interval of checks if the end of a suppression is unknown. */
const DAY_MS = 86_400_000;

/** On-call schedules that must be loaded before `needsOf` is called. Empty if nothing is due. */
export function schedulesOf(
  incident: Incident,
  { now, notifyOf }: Pick<Settling, "now" | "notifyOf">,
): readonly string[] {
  const notify = notifyOf(incident);
  const due = dueOf(incident, notify);
  if (!due || due.at > now || due.what === "pending") return [];
  return [...new Set([...namedSchedules(notify), ...notifiedSchedules(incident)])];
}

/** Data that must be loaded before an incident can be settled. Empty if nothing is due. */
export function needsOf(
  incident: Incident,
  { now, notifyOf, onCallOf }: Pick<Settling, "now" | "notifyOf" | "onCallOf">,
): { readonly firings: FiringReading | undefined; readonly ceilings: readonly string[] } {
  const notify = notifyOf(incident);
  const due = dueOf(incident, notify);
  if (!due || due.at > now || due.what === "pending") return { firings: undefined, ceilings: [] };
  const recipients = [
    ...(["first", "resolved"] as const).flatMap((reason) =>
      addresseesOf(incident, notify, reason, onCallOf).map(({ recipient }) => recipient),
    ),
    ...targetsOf(incident, notify, "first"),
    ...notify.escalation.steps.flatMap((step) => [
      ...step.recipients,
      ...(step.onCall ?? []).flatMap((schedule) => onCallOf(incident, schedule)),
      ...(step.targets ?? []),
    ]),
  ];
  const limits = new Set(recipients.map((recipient) => limitId(incident.ruleId, recipient)));
  return { firings: readingOf(due), ceilings: [...limits] };
}

/** Active alerts that must be loaded before a due action; undefined if none are needed. */
function readingOf({ what }: Due): FiringReading | undefined {
  if (what === "pending" || what === "resolved" || what === "removed") return undefined;
  if (what === "quiet") return "quietest";
  // A notice of all active alerts follows the end of a snooze.
  return what === "snoozed" ? "all" : noticeReading(what);
}

function noticeReading(reason: NoticeReason): FiringReading {
  return isNews(reason) ? "untold" : "all";
}

/**
 * Performs all due actions of an incident: fixes the contents of a notice, suppresses it, or resolves alerts without updates. If
 * required alerts are not loaded, the action is left to a later call.
 */
export function settle(unit: UnitOfWork, incidentId: string, settling: Settling): void {
  const { now, notifyOf, onCallOf } = settling;
  for (;;) {
    const incident = unit.get(incidentId);
    const notify = notifyOf(incident);
    const due = dueOf(incident, notify);
    const isNow = due && due.at <= now && due.what !== "pending";
    const reading = due && readingOf(due);
    if (!isNow || (reading && !unit.isRead(incidentId, reading))) {
      noteDue(unit, incident, due, settling);
      return;
    }
    if (due.what === "resolved")
      freezeNotice(unit, incident, { reason: "resolved", notified: [], unread: 0, notify, onCallOf, now });
    else if (due.what === "removed") closeWithRule(unit, incident, now);
    else if (due.what === "quiet") endQuiet(unit, incident, notify, now);
    else if (due.what === "snoozed") expireSnooze(unit, incident, now);
    else notifyOrHold(unit, incident, due.what, settling);
  }
}

/** Stores the next due time when no action is left. */
function noteDue(
  unit: UnitOfWork,
  incident: Incident,
  due: Due | undefined,
  { now, keptMs, sendUntil }: Settling,
): void {
  const { dueAt: former, ...still } = incident;
  const isOver = incident.state === "resolved" && !due && !incident.expireAt;
  const dueAt = due?.what === "pending" && due.at <= now ? sendUntil : due?.at;
  if (former?.getTime() === dueAt?.getTime() && !isOver) return;
  const expireAt = new Date(now.getTime() + keptMs);
  unit.put({ ...still, ...(dueAt && { dueAt }), ...(isOver && { expireAt }) });
}

/** No e-mail is sent, because Hermod does not know whether the problem is over. */
function closeWithRule(unit: UnitOfWork, { _id }: Incident, now: Date): void {
  resolve(unit, _id, now, phrase("incident.rule_removed"));
  unit.put({ ...unit.get(_id), ended: true });
}

/** Resolves alerts without an update for too long. */
function endQuiet(unit: UnitOfWork, incident: Incident, { autoResolveMs }: NotifySettings, now: Date): void {
  const bound = now.getTime() - autoResolveMs;
  const by = phrase("incident.quiet");
  for (const firing of unit.firingsOf(incident._id))
    if (firing.lastAt.getTime() <= bound) clear(unit, firing, { at: now, by });
  const left = unit.get(incident._id);
  if (!left.open) return;
  if (left.firing === 0) {
    resolve(unit, left._id, now, by);
    return;
  }
  const times = unit.firingsOf(incident._id).map(({ lastAt }) => lastAt.getTime());
  // Alerts that were not loaded come next.
  const isMore = unit.unread(incident._id, "quietest", left.firing, times.length) > 0;
  const quietest = times.reduce((least, time) => Math.min(least, time), isMore ? bound + 1 : Infinity);
  unit.put({ ...left, quietestAt: new Date(quietest) });
}

/** Current mute of an active alert, by its whole context; undefined if there is none. */
export function muteOf(
  unit: UnitOfWork,
  firing: Firing,
  { mutes, now }: Pick<Settling, "mutes" | "now">,
): Mute | undefined {
  const verdict = unit.verdict(firing);
  if (verdict) return verdict.mute;
  const heard = { alert: unit.wholeOf(firing), fingerprint: firing.fingerprint };
  return mutes.muteOf(heard, unit.sources, now);
}

function notifyOrHold(unit: UnitOfWork, incident: Incident, reason: NoticeReason, settling: Settling): void {
  const { now, notifyOf, onCallOf } = settling;
  const notified: Firing[] = [];
  const reading = noticeReading(reason);
  const leftOut = unit.leftOut(incident._id, reading);
  const held: Mute[] = leftOut.mute ? [leftOut.mute] : [];
  const asked = unit.firingsOf(incident._id).filter(({ untold }) => !isNews(reason) || untold);
  for (const firing of asked) {
    const mute = muteOf(unit, firing, settling);
    if (mute) held.push(mute);
    else notified.push(firing);
  }
  // The alert that raised the severity is resolved while others are active.
  if (isNews(reason) && notified.length + held.length === 0) {
    const { risenAt: _, ...rest } = incident;
    unit.put({ ...rest, untold: 0, untoldCritical: 0 });
    return;
  }
  if (notified.length === 0 && !isUncounted(incident)) {
    const [first] = held.sort((a, b) => a.until.getTime() - b.until.getTime());
    const until = first?.until ?? new Date(now.getTime() + DAY_MS);
    hold(unit, incident, { reason, heldBy: first?.reason ?? "silenced", until, now });
    return;
  }
  const notify = notifyOf(incident);
  const count = isNews(reason) ? incident.untold : incident.firing;
  const unread = unit.unread(incident._id, reading, count, asked.length);
  const severity = isUncounted(incident)
    ? incident.severity
    : greatestSeverity(notified.map(({ alert }) => alert.severity));
  const until = quietUntil(notify, severity, now);
  if (until) hold(unit, incident, { reason, heldBy: "quiet_hours", until, now });
  else freezeNotice(unit, incident, { reason, notified, unread, notify, onCallOf, now });
}

/** Only alerts that may be active are left. */
function isUncounted({ firing, uncounted = 0 }: Incident): boolean {
  return firing === 0 && uncounted > 0;
}

interface Hold {
  readonly reason: NoticeReason;
  readonly heldBy: HoldReason;
  readonly until: Date;
  readonly now: Date;
}

/** Suppressed news must not suppress repeats and escalations of other alerts. */
function hold(unit: UnitOfWork, incident: Incident, { reason, heldBy, until, now }: Hold): void {
  const heldUntil = until > now ? until : new Date(now.getTime() + 1);
  const held = isNews(reason) ? { heldUntil } : { restHeldUntil: heldUntil };
  unit.put({ ...incident, heldBy, ...held });
  if (incident.heldBy === heldBy) return;
  const detail = phrase("incident.held", { reason: heldBy, at: heldUntil.toISOString() });
  unit.note(incident._id, { at: now, kind: "held", ...detailFields(detail) });
}
