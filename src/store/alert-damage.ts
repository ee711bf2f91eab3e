import { severities } from "../alerts/alert.ts";
import { type Firing, type Incident, incidentStates } from "../alerts/incident.ts";
import type { NotificationLimit } from "../alerts/notification-limit.ts";
import type { AlertEnd } from "../alerts/occurrence.ts";
import { Fault, fault } from "../shared/fault.ts";
import {
  type Check,
  count,
  createShapeFault,
  date,
  fields,
  filled,
  listOf,
  objectOf,
  oneOf,
  optional,
  text,
  texts,
} from "./field-checks.ts";

const severity = oneOf(severities);
const state = oneOf(incidentStates);
const summary = objectOf({ alertId: text, at: date, eventType: text, severity, source: text, message: text });
const notice = objectOf({
  number: count,
  reason: filled,
  at: date,
  state,
  severity,
  alerts: listOf(objectOf({ at: date, severity })),
  more: count,
  context: fields,
  links: Array.isArray,
  mails: listOf(objectOf({ recipient: filled, messageId: filled })),
  posts: optional(listOf(objectOf({ targetId: filled, eventId: filled }))),
  trouble: optional(objectOf({ retryAt: date })),
});

/** The check of a field, and its replacement value in a closed incident; undefined: none. */
const INCIDENT: readonly (readonly [field: keyof Incident & string, check: Check, instead?: unknown])[] = [
  ["ruleId", filled, "unknown"],
  ["ruleVersion", count, 0],
  ["ruleName", text, ""],
  ["groupKey", text, ""],
  ["open", optional((value) => value === true)],
  ["state", state, "resolved"],
  ["title", text, ""],
  ["firstTitle", optional(text)],
  ["severity", severity, "info"],
  [
    "latest",
    summary,
    { alertId: "", at: new Date(0), eventType: "", severity: "info", source: "", message: "" },
  ],
  ["openedAt", date, new Date(0)],
  ["since", optional(date)],
  ["updatedAt", date, new Date(0)],
  ["acknowledgedAt", optional(date)],
  ["acknowledgedBy", optional(text)],
  ["snoozedUntil", optional(date)],
  ["snoozedBy", optional(text)],
  ["remind", optional(objectOf({ at: date, reason: filled }))],
  ["assignee", optional(filled)],
  ["noteCount", optional(count)],
  ["changedBy", optional(filled)],
  ["resolvedAt", optional(date)],
  ["resolvedBy", optional(text)],
  ["alerts", count, 0],
  ["occurrences", optional(count)],
  ["firing", count, 0],
  ["uncounted", optional(count)],
  ["endedWith", optional(count)],
  ["untold", count, 0],
  ["untoldCritical", optional(count)],
  ["notices", count, 0],
  ["lastNoticeAt", optional(date)],
  ["risenAt", optional(date)],
  ["heldUntil", optional(date)],
  ["restHeldUntil", optional(date)],
  ["heldBy", optional(text)],
  ["escalation", optional(objectOf({ round: count, step: count, at: date }))],
  ["pending", optional(notice)],
  ["threads", listOf(objectOf({ recipient: filled, onCall: optional(listOf(filled)) })), []],
  ["targets", optional(texts)],
  ["reopenings", listOf(date), []],
  ["quietestAt", optional(date)],
  ["entries", count, 0],
  ["dueAt", optional(date)],
  ["revision", count, 0],
  ["expireAt", optional(date)],
];
const incidentFault = createShapeFault<Incident>(INCIDENT.map(([field, check]) => [field, check] as const));

const limitFault = createShapeFault<NotificationLimit>([
  ["ruleId", filled],
  ["ruleVersion", count],
  ["recipient", filled],
  ["mailed", optional(listOf(objectOf({ at: date })))],
  ["mailedAt", optional(listOf(date))],
  ["held", listOf(objectOf({ at: date, incidentId: filled, title: text, severity }))],
  ["more", count],
  ["counts", optional(fields)],
  ["heldSince", optional(date)],
  ["digests", count],
  ["lastDigestAt", optional(date)],
  ["pending", optional(fields)],
  ["dueAt", optional(date)],
  ["revision", count],
]);

const firingFault = createShapeFault<Firing>([
  ["incidentId", filled],
  ["fingerprint", filled],
  ["alertId", filled],
  ["alert", objectOf({ context: fields })],
  ["links", Array.isArray],
  ["firstAt", date],
  ["lastAt", date],
  ["occurredAt", optional(date)],
  ["count", count],
  ["rank", optional((value) => typeof value === "number")],
  ["told", optional(filled)],
]);

const endFault = createShapeFault<AlertEnd>([
  ["fingerprint", filled],
  ["occurredAt", optional(date)],
]);

/** An incident that cannot be processed. */
export interface DamagedIncident {
  readonly id: string;
  readonly reason: string;
  /** Replacement values of the damaged fields for display in lists; undefined: the field is removed. */
  readonly repairs: Readonly<Record<string, unknown>>;
}

class DamagedIncidentsError extends Error {
  readonly damaged: readonly DamagedIncident[];
  constructor(damaged: readonly DamagedIncident[]) {
    super(damaged.map(({ id, reason }) => `${id}: ${reason}`).join("; "));
    this.damaged = damaged;
  }
}

/**
 * The incidents that were read, without those that were set aside.
 * @throws Fault internal.error if some are damaged: `damagedIn` returns them
 */
export function soundIncidents(found: readonly Incident[]): Incident[] {
  const present = found.filter(({ setAsideAt }) => setAsideAt === undefined);
  const damaged = present.flatMap((one) => {
    const reason = incidentFault(one);
    if (reason === undefined) return [];
    const wrong = INCIDENT.filter(([field, check]) => !check(one[field]));
    const repairs = Object.fromEntries(wrong.map(([field, , instead]) => [field, instead]));
    return [{ id: one._id, reason, repairs }];
  });
  if (damaged.length === 0) return present;
  const cause = new DamagedIncidentsError(damaged);
  throw fault("internal.error", { internal: `incidents are damaged: ${cause.message}`, cause });
}

/** The incidents for which `soundIncidents` has thrown; empty for other errors. */
export function damagedIn(error: unknown): readonly DamagedIncident[] {
  const cause = error instanceof Fault ? error.cause : undefined;
  return cause instanceof DamagedIncidentsError ? cause.damaged : [];
}

/**
 * Leaves out damaged documents: their state starts again, and the next write replaces them. A damaged counter must
 * not block the notification of an alert.
 */
export const soundLimits = (found: readonly NotificationLimit[]) => found.filter((one) => !limitFault(one));
export const soundFirings = (found: readonly Firing[]) => found.filter((one) => !firingFault(one));
export const soundEnds = (found: readonly AlertEnd[]) => found.filter((one) => !endFault(one));
