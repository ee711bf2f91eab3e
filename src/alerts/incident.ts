import type { TextPart } from "../shared/phrase.ts";
import type { Alert, Severity } from "./alert.ts";

/**
 * - `open`: alerts are active, and no recipient has acknowledged them
 * - `acknowledged`: by a recipient; only a higher severity, new critical alerts and the resolution are notified
 * - `resolved`: no alert is active; the next active alert opens another incident
 */
export const incidentStates = ["open", "acknowledged", "resolved"] as const;
export type IncidentState = (typeof incidentStates)[number];

/** Reason for a notice. */
export const noticeReasons = [
  "first",
  "new",
  "severity",
  "repeat",
  "escalation",
  "snooze_ended",
  "reopened",
  "resolved",
] as const;
export type NoticeReason = (typeof noticeReasons)[number];

/** Whether a notice contains only alerts that no notice has named. Other notices contain all active alerts. */
export function isNews(reason: NoticeReason): boolean {
  return reason === "first" || reason === "new" || reason === "severity";
}

/** Reason for the suppression of a notification. */
export type HoldReason = "silenced" | "inhibited" | "quiet_hours";

/** Summary of an alert, for lists and e-mails. */
export interface AlertSummary {
  readonly alertId: string;
  readonly at: Date;
  /** Time given by the source; missing if it gave none. */
  readonly occurredAt?: Date;
  readonly eventType: string;
  readonly severity: Severity;
  readonly source: string;
  readonly message: string;
  readonly entityType?: string;
  readonly entityId?: string;
}

/** Active alert of an incident. */
export interface Firing {
  /** Id: `incident.fingerprint`. */
  readonly _id: string;
  readonly accountId: string;
  readonly incidentId: string;
  readonly fingerprint: string;
  readonly alertId: string;
  readonly alert: Alert;
  /** The stored context is complete; if missing, it may be truncated. */
  readonly isWhole?: true;
  readonly links: readonly AlertLink[];
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** Last time given by the source; missing if it gave none. */
  readonly occurredAt?: Date;
  /** Number of times that the alert was received. */
  readonly count: number;
  /** `severityRank` of the alert, to read the most severe alerts first; missing if an earlier version stored it. */
  readonly rank?: number;
  /** Severity in the last notice that counted the alert; missing if there was none, or if an earlier version stored it. */
  readonly told?: Severity;
  /** No notice has named the alert, or its current severity. */
  readonly untold?: true;
}

/** Notice with fixed contents. Any process can create its messages, which always have the same ids. */
export interface Notice {
  /** Number of the notice within the incident, from 1. */
  readonly number: number;
  readonly reason: NoticeReason;
  readonly at: Date;
  readonly state: IncidentState;
  readonly severity: Severity;
  /** Title of the incident at that time; missing if an earlier version stored the notice. */
  readonly title?: string;
  /** New or active alerts, highest severity first, then latest first. */
  readonly alerts: readonly AlertSummary[];
  /** Number of further alerts that are not in `alerts`. */
  readonly more: number;
  /** Context of the first alert. */
  readonly context: Alert["context"];
  /** The context is truncated in the stored alert. */
  readonly isContextPart?: true;
  readonly links: readonly AlertLink[];
  readonly mails: readonly NoticeMail[];
  /** Requests to alert targets; missing: none. */
  readonly posts?: readonly NoticePost[];
  /** Last failure to create the messages; missing if there is none. */
  readonly trouble?: NoticeError;
}

export interface AlertLink {
  readonly href: string;
  readonly text: string;
}

export interface NoticeMail {
  readonly recipient: string;
  readonly messageId: string;
  /** Message-IDs of the previous e-mail and of the first one of its thread; missing if it begins a thread. */
  readonly inReplyTo?: string;
  readonly root?: string;
}

/** Request to an alert target, with an id that each attempt has. */
export interface NoticePost {
  readonly targetId: string;
  /** Id of the notice for its receivers: `ntc_…`. */
  readonly eventId: string;
}

export interface NoticeError {
  readonly since: Date;
  /** Number of failed tries. */
  readonly tries: number;
  readonly retryAt: Date;
  readonly detail: string;
}

/** Recipient that was notified of an incident. */
export interface Thread {
  readonly recipient: string;
  /** Message-IDs of the first and the last e-mail; missing if only digests were sent. */
  readonly root?: string;
  readonly last?: string;
  /** On-call schedules that named the recipient; missing: the rule names it. */
  readonly onCall?: readonly string[];
}

/** Incident: one alert, or several that a rule groups. */
export interface Incident {
  /** Id: `inc_…`. */
  readonly _id: string;
  readonly accountId: string;
  readonly ruleId: string;
  /** Version of the rule when the incident was opened. It applies until the incident is resolved. */
  readonly ruleVersion: number;
  readonly ruleName: string;
  readonly groupKey: string;
  /** Missing once the incident is resolved. A rule has one open incident per group. */
  readonly open?: true;
  readonly state: IncidentState;
  /** Subject of its e-mails, from the alert that opened the incident or last raised its severity. */
  readonly title: string;
  /** Title when the incident was opened; missing if it is the same. */
  readonly firstTitle?: string;
  /** Highest severity so far. */
  readonly severity: Severity;
  readonly latest: AlertSummary;
  readonly openedAt: Date;
  /** Time of its earliest alert; missing if it equals the time of opening. */
  readonly since?: Date;
  readonly updatedAt: Date;
  readonly acknowledgedAt?: Date;
  readonly acknowledgedBy?: string;
  /** Time until which no notices are sent, except that of the resolution. Missing if the incident is not snoozed. */
  readonly snoozedUntil?: Date;
  readonly snoozedBy?: string;
  /** Notice of all active alerts that is due because a snooze ended or a member reopened the incident. */
  readonly remind?: { readonly at: Date; readonly reason: "snooze_ended" | "reopened" };
  /** Id of the member who works on it. The user may have left the account. */
  readonly assignee?: string;
  /** Number of notes; missing if there are none. */
  readonly noteCount?: number;
  /** Id of the job that last acknowledged or resolved it; missing if none did. */
  readonly changedBy?: string;
  readonly resolvedAt?: Date;
  readonly resolvedBy?: string;
  /** Parts of `resolvedBy`. Missing: it is a name, or an earlier release stored it. */
  readonly resolvedByParts?: readonly TextPart[];
  /** Number of alerts received, including repeats and resolutions. */
  readonly alerts: number;
  /** Number of times that an alert was received as active; missing if an earlier version stored the incident. */
  readonly occurrences?: number;
  /** Number of active alerts. */
  readonly firing: number;
  /**
   * Number of alerts that may be active although they are not among the active ones: an earlier version did not keep them, or a
   * member reopened the incident after they ended. Only a member resolves such an incident. Missing if there are none.
   */
  readonly uncounted?: number;
  /** Number of active alerts when it was resolved; missing if there were none. */
  readonly endedWith?: number;
  /** Number of active alerts that no notice has named. */
  readonly untold: number;
  /** Number of critical alerts among them; missing if there are none. */
  readonly untoldCritical?: number;
  /** Number of notices so far. */
  readonly notices: number;
  /** Time of the last notice. */
  readonly lastNoticeAt?: Date;
  /** Time at which a higher severity of the incident, or of one of its alerts, is to be notified. */
  readonly risenAt?: Date;
  /** Time until which news is suppressed. */
  readonly heldUntil?: Date;
  /** Time until which repeats and escalations are suppressed. */
  readonly restHeldUntil?: Date;
  readonly heldBy?: HoldReason;
  /** Next escalation step; missing if none is left or none has begun. */
  readonly escalation?: { readonly round: number; readonly step: number; readonly at: Date };
  readonly pending?: Notice;
  readonly threads: readonly Thread[];
  /** Ids of alert targets that were notified of the incident; missing: none. */
  readonly targets?: readonly string[];
  /** Times of recent openings of incidents of the same rule and group. */
  readonly reopenings: readonly Date[];
  /** The incident opens and resolves repeatedly. */
  readonly flapping?: true;
  /** The rule was removed or disabled: only the resolution is notified. */
  readonly stopped?: true;
  /** The rule was removed: the incident is to be closed without an e-mail. */
  readonly ruleRemoved?: true;
  /** Time of the oldest last update among its alerts; missing if the rule does not auto-resolve. */
  readonly quietestAt?: Date;
  /** Number of history entries so far. */
  readonly entries: number;
  /** Time of the next action; missing if there is none. */
  readonly dueAt?: Date;
  /** The resolution was notified. */
  readonly ended?: true;
  readonly revision: number;
  /** Set when no more notices follow. */
  readonly expireAt?: Date;
  /** Time at which it was closed because its document is damaged. It is no longer evaluated. */
  readonly setAsideAt?: Date;
}

/** The incident without a snooze, and without the notice that follows one. */
export function withoutSnooze<T extends Incident>(incident: T) {
  const { snoozedUntil: _, snoozedBy: __, remind: ___, ...rest } = incident;
  return rest;
}

/** Time of the first alert. */
export function sinceOf({ since, openedAt }: Incident): Date {
  return since ?? openedAt;
}

export function occurrencesOf({ occurrences, alerts }: Incident): number {
  return occurrences ?? alerts;
}
