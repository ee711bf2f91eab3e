import { dueOf, nextNoticeAt } from "../../alerts/due.ts";
import type { Incident, Notice } from "../../alerts/incident.ts";
import type { Taken } from "../../alerts/incident-changes.ts";
import type { Mute } from "../../alerts/mutes.ts";
import { digestAt } from "../../alerts/notification-limits.ts";
import { quietUntil } from "../../alerts/quiet-hours.ts";
import { hasReceivers } from "../../alerts/rule.ts";
import type { Settling } from "../../alerts/settle.ts";
import type { UnitOfWork } from "../../alerts/unit-of-work.ts";
import type { AlertOutcome, AlertReason, AlertReasonCode } from "../../store/alert-documents.ts";

/** Effect of an alert on one incident. */
export interface AlertStep {
  readonly incidentId: string;
  readonly effect: Taken | "cleared" | "outdated";
  /** Number of the incident's previous notifications. */
  readonly noticesBefore: number;
  /** Reason why Hermod does not notify now; undefined: it may notify. */
  readonly mute: Mute | undefined;
}

export interface OutcomeOptions {
  readonly steps: readonly AlertStep[];
  /** Name of the rule; undefined: no rule dropped the alert. */
  readonly droppedBy: string | undefined;
  /** Names of rules that would match the alert if it were not older than its resolution. */
  readonly outdatedFor: readonly string[];
  readonly settling: Settling;
}

/** Outcome of an alert, after its incidents are settled. */
export function outcomeOf(
  unit: UnitOfWork,
  { steps, droppedBy, outdatedFor, settling }: OutcomeOptions,
): AlertOutcome {
  const conclusions = steps.map((step) => ({ step, incident: unit.get(step.incidentId) }));
  const messageIds = conclusions.flatMap(({ step, incident }) => messagesOf(step, incident));
  const reasons = conclusions.flatMap(({ step, incident }) => reasonOf(unit, step, incident, settling) ?? []);
  const dropped: AlertReason[] = [
    ...outdatedFor.map((rule) => ({ rule, reason: "outdated" as const })),
    ...(droppedBy === undefined ? [] : [{ rule: droppedBy, reason: "dropped" as const }]),
  ];
  const matchedRules = [
    ...conclusions.map(({ incident }) => incident.ruleName),
    ...dropped.map(({ rule }) => rule),
  ];
  const isRouted =
    conclusions.some(({ step, incident }) => newNoticeOf(step, incident) !== undefined) ||
    reasons.some(({ reason }) => reason === "grouped");
  const isMatched = matchedRules.length > 0;
  return {
    status: isRouted ? "routed" : isMatched ? "suppressed" : "unmatched",
    matchedRules,
    incidentIds: conclusions.map(({ incident }) => incident._id),
    messageIds,
    reasons: [...reasons, ...dropped],
  };
}

/** Notice that the alert has caused, with something to send; undefined: there is none. */
function newNoticeOf({ noticesBefore }: AlertStep, { notices, pending }: Incident): Notice | undefined {
  return notices > noticesBefore && pending?.number === notices ? pending : undefined;
}

function messagesOf(step: AlertStep, incident: Incident): string[] {
  return newNoticeOf(step, incident)?.mails.map(({ messageId }) => messageId) ?? [];
}

/** undefined: the notification was sent. */
function reasonOf(
  unit: UnitOfWork,
  step: AlertStep,
  incident: Incident,
  settling: Settling,
): AlertReason | undefined {
  const { effect, mute } = step;
  const { now } = settling;
  const notify = settling.notifyOf(incident);
  const nextAt = nextNoticeAt(dueOf(incident, notify));
  const next = nextAt && nextAt > now ? nextAt : undefined;
  const because = (reason: AlertReasonCode, nextNotificationAt: Date | undefined): AlertReason => ({
    rule: incident.ruleName,
    reason,
    ...(nextNotificationAt && { nextNotificationAt }),
  });
  if (effect === "stopped" || effect === "outdated") return { rule: incident.ruleName, reason: effect };
  if (incident.notices > step.noticesBefore) {
    if (newNoticeOf(step, incident)) return undefined;
    return because("rate_ceiling", digestAt(unit, incident));
  }
  if (effect === "cleared" || !hasReceivers(notify)) return because("not_mailed", undefined);
  const { snoozedUntil } = incident;
  if (snoozedUntil && snoozedUntil > now) return because("snoozed", snoozedUntil);
  if (effect === "acknowledged") return because("acknowledged", next);
  if (effect === "repeat") return because("deduplicated", next);
  if (mute) return because(mute.reason, later(mute.until, next));
  if (incident.heldBy && incident.heldUntil && incident.heldUntil > now)
    return because(incident.heldBy, incident.heldUntil);
  const quietEnd = next && quietUntil(notify, incident.severity, next);
  return quietEnd ? because("quiet_hours", quietEnd) : because("grouped", next);
}

function later(a: Date, b: Date | undefined): Date {
  return b && b > a ? b : a;
}
