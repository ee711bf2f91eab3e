import type { Alert, Severity } from "./alert.ts";

/**
 * - `open`: alerts are active, and no recipient has acknowledged them
 * - `acknowledged`: a recipient has: only a greater severity, critical alerts that are new, and the end are notified
 * - `resolved`: nothing fires any more; what fires next opens another incident
 */
export const incidentStates = ["open", "acknowledged", "resolved"] as const;
export type IncidentState = (typeof incidentStates)[number];

/** Why a notice is sent. */
export const noticeReasons = ["first", "new", "severity", "repeat", "escalation", "resolved"] as const;
export type NoticeReason = (typeof noticeReasons)[number];

/** Whether a notice tells what no notice has told; else it tells everything that fires. */
export function isNews(reason: NoticeReason): boolean {
  return reason === "first" || reason === "new" || reason === "severity";
}

/** Why something is not told now. */
export type HoldReason = "silenced" | "inhibited" | "quiet_hours";

/** A line about an alert, for lists and mails. */
export interface AlertSummary {
  readonly alertId: string;
  readonly at: Date;
  /** Time that its source gives; missing: none. */
  readonly occurredAt?: Date;
  readonly eventType: string;
  readonly severity: Severity;
  readonly source: string;
  readonly message: string;
  readonly entityType?: string;
  readonly entityId?: string;
}

/** A thing that an incident is about, as long as it fires. */
export interface Firing {
  /** `incident.fingerprint`. */
  readonly _id: string;
  readonly accountId: string;
  readonly incidentId: string;
  readonly fingerprint: string;
  readonly alertId: string;
  readonly alert: Alert;
  /** Its context is that of the alert; missing: it may be shortened. */
  readonly isWhole?: true;
  readonly links: readonly AlertLink[];
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** Time that its source gave last; missing: none. */
  readonly occurredAt?: Date;
  /** How often it was said. */
  readonly count: number;
  /** `severityRank` of the alert, to read the most severe first; missing: an earlier version stored it. */
  readonly rank?: number;
  /** Severity with which a notice last counted it; missing: no notice has, or an earlier version stored it. */
  readonly told?: Severity;
  /** No notice has told of it, or not of its severity. */
  readonly untold?: true;
}

/** A notice whose content is settled: whoever finds it makes its messages, which have the same ids each time. */
export interface Notice {
  /** Of the incident's notices, from 1 on. */
  readonly number: number;
  readonly reason: NoticeReason;
  readonly at: Date;
  readonly state: IncidentState;
  readonly severity: Severity;
  /** Title of the incident at that time; missing: an earlier version settled the notice. */
  readonly title?: string;
  /** Those that are new, or fire on: the most severe first, of these the latest. */
  readonly alerts: readonly AlertSummary[];
  /** Of those, so many are not among `alerts`. */
  readonly more: number;
  /** The rest of what the first one says. */
  readonly context: Alert["context"];
  /** The context has more than is stored with an active alert. */
  readonly isContextPart?: true;
  readonly links: readonly AlertLink[];
  readonly mails: readonly NoticeMail[];
  /** Since when it could not be made, and why; missing: nothing stands in its way. */
  readonly trouble?: NoticeTrouble;
}

export interface AlertLink {
  readonly href: string;
  readonly text: string;
}

export interface NoticeMail {
  readonly recipient: string;
  readonly messageId: string;
  /** Message-IDs of the mail that it answers, and of the first one of its thread; missing: it begins one. */
  readonly inReplyTo?: string;
  readonly root?: string;
}

export interface NoticeTrouble {
  readonly since: Date;
  /** How often it was tried. */
  readonly tries: number;
  readonly retryAt: Date;
  readonly detail: string;
}

/** Somebody who was told of an incident. */
export interface Thread {
  readonly recipient: string;
  /** Message-IDs of the first mail and the last one; missing: only digests have told of it. */
  readonly root?: string;
  readonly last?: string;
}

/** What a rule tells of together: one alert, or several that belong together. */
export interface Incident {
  /** `inc_…`. */
  readonly _id: string;
  readonly accountId: string;
  readonly ruleId: string;
  /** With which it began: that one decides until it is over. */
  readonly ruleVersion: number;
  readonly ruleName: string;
  readonly groupKey: string;
  /** Missing once it is resolved: of one rule and group one is open. */
  readonly open?: true;
  readonly state: IncidentState;
  /** Subject of its mail: of the alert that it began with, or that raised its severity last. */
  readonly title: string;
  /** The title with which it began; missing: it is the same. */
  readonly firstTitle?: string;
  /** The greatest so far. */
  readonly severity: Severity;
  readonly latest: AlertSummary;
  readonly openedAt: Date;
  /** When its earliest alert occurred; missing: when it was opened. */
  readonly since?: Date;
  readonly updatedAt: Date;
  readonly acknowledgedAt?: Date;
  readonly acknowledgedBy?: string;
  readonly resolvedAt?: Date;
  readonly resolvedBy?: string;
  /** Alerts received, repeats and resolutions included. */
  readonly alerts: number;
  /** How often one of its alerts was reported as active; missing: an earlier version stored it. */
  readonly occurrences?: number;
  /** Active alerts. */
  readonly firing: number;
  /** Alerts that an earlier version did not keep: Hermod cannot know whether they are over. Missing: none. */
  readonly uncounted?: number;
  /** Of what fires, what no notice has told. */
  readonly untold: number;
  /** Critical alerts among them; missing: none. */
  readonly untoldCritical?: number;
  /** Notices so far. */
  readonly notices: number;
  /** When the last one was. */
  readonly lastNoticeAt?: Date;
  /** When a greater severity is to be notified, of the incident or of one of its alerts. */
  readonly risenAt?: Date;
  /** What is new is not told before. */
  readonly heldUntil?: Date;
  /** What was told is not repeated before, and not escalated. */
  readonly restHeldUntil?: Date;
  readonly heldBy?: HoldReason;
  /** The next step; missing: none is left, or none has begun. */
  readonly escalation?: { readonly round: number; readonly step: number; readonly at: Date };
  readonly pending?: Notice;
  readonly threads: readonly Thread[];
  /** When incidents of the same rule and group were opened shortly before. */
  readonly reopenings: readonly Date[];
  /** It comes and goes. */
  readonly flapping?: true;
  /** Its rule was removed or disabled: nothing more is told but its end. */
  readonly stopped?: true;
  /** Its rule was removed: the incident is to be closed, without mail. */
  readonly ruleRemoved?: true;
  /** When the thing was heard of that nobody has spoken of for the longest time; missing: its rule does not ask. */
  readonly quietestAt?: Date;
  /** Entries of its history so far. */
  readonly entries: number;
  /** When it is to be looked at; missing: never. */
  readonly dueAt?: Date;
  /** Its end was told. */
  readonly ended?: true;
  readonly revision: number;
  /** Set once nothing more is to be told. */
  readonly expireAt?: Date;
  /** When it was closed because its document is damaged: nothing is decided by it any more. */
  readonly setAsideAt?: Date;
}

/** When the first of its alerts occurred. */
export function sinceOf({ since, openedAt }: Incident): Date {
  return since ?? openedAt;
}

export function occurrencesOf({ occurrences, alerts }: Incident): number {
  return occurrences ?? alerts;
}

/** What an hour has brought one recipient of a rule, and what waits for his next digest. */
export interface Ceiling {
  /** `rule.recipient`, the latter in the form in which addresses are compared. */
  readonly _id: string;
  readonly accountId: string;
  readonly ruleId: string;
  readonly ruleVersion: number;
  readonly recipient: string;
  /** Mails of the last hour; missing: an earlier version stored `mailedAt`. */
  readonly mailed?: readonly MailedNotice[];
  readonly mailedAt?: readonly Date[];
  /** Each alert once, the most severe first. */
  readonly held: readonly HeldNotice[];
  /** Notices held that are not among them. */
  readonly more: number;
  /** Notices held by severity; missing: none, or an earlier version held them. */
  readonly counts?: SeverityCounts;
  /** When the first of those held was. */
  readonly heldSince?: Date;
  /** Digests so far. */
  readonly digests: number;
  readonly lastDigestAt?: Date;
  readonly pending?: Digest;
  readonly dueAt?: Date;
  readonly revision: number;
  readonly expireAt: Date;
}

export type SeverityCounts = Partial<Record<Severity, number>>;

/** A notice that was mailed. Only its time is known of one that an earlier version has mailed. */
export interface MailedNotice {
  readonly at: Date;
  readonly groupKey?: string;
  readonly reason?: NoticeReason;
  readonly severity?: Severity;
}

export interface HeldNotice {
  readonly incidentId: string;
  /** Of the incident: the same for an alert that comes and goes. Missing: an earlier version held it. */
  readonly groupKey?: string;
  /** Notices that it stands for; missing: one. */
  readonly times?: number;
  readonly title: string;
  readonly reason: NoticeReason;
  readonly state: IncidentState;
  readonly severity: Severity;
  readonly at: Date;
}

/** A digest whose content is settled. */
export interface Digest {
  readonly number: number;
  readonly at: Date;
  readonly since: Date;
  readonly held: readonly HeldNotice[];
  readonly more: number;
  readonly counts?: SeverityCounts;
  readonly messageId: string;
  readonly trouble?: NoticeTrouble;
}

/** Something that happened to an incident. */
export interface HistoryEntry {
  /** `incident.number`. */
  readonly _id: string;
  readonly accountId: string;
  readonly incidentId: string;
  readonly at: Date;
  readonly kind: "opened" | "risen" | "held" | "notice" | "notice_failed" | "acknowledged" | "resolved";
  /** For people: who, why, until when. */
  readonly detail: string;
  readonly messageIds?: readonly string[];
  readonly expireAt: Date;
}
