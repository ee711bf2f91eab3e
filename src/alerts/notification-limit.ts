import type { Severity } from "./alert.ts";
import type { IncidentState, NoticeError, NoticeReason } from "./incident.ts";

/** Notices of one hour to one recipient or alert target of a rule, and those that wait for the next digest. */
export interface NotificationLimit {
  /** Id: `rule.recipient`, with the recipient in the form used for comparison. */
  readonly _id: string;
  readonly accountId: string;
  readonly ruleId: string;
  readonly ruleVersion: number;
  /** Address, or id of an alert target. */
  readonly recipient: string;
  /** E-mails of the last hour; missing if an earlier version stored `mailedAt`. */
  readonly mailed?: readonly MailedNotice[];
  readonly mailedAt?: readonly Date[];
  /** One entry per alert, highest severity first. */
  readonly held: readonly HeldNotice[];
  /** Number of waiting notices that are not among them. */
  readonly more: number;
  /** Waiting notices by severity; missing if there are none, or if an earlier version stored them. */
  readonly counts?: SeverityCounts;
  /** Time of the first waiting notice. */
  readonly heldSince?: Date;
  /** Number of digests so far. */
  readonly digests: number;
  readonly lastDigestAt?: Date;
  readonly pending?: Digest;
  readonly dueAt?: Date;
  readonly revision: number;
  readonly expireAt: Date;
}

export type SeverityCounts = Partial<Record<Severity, number>>;

/** Notice that was mailed. An earlier version stored only its time. */
export interface MailedNotice {
  readonly at: Date;
  readonly groupKey?: string;
  readonly reason?: NoticeReason;
  readonly severity?: Severity;
}

export interface HeldNotice {
  readonly incidentId: string;
  /**
   * Group key of the incident, which is the same for an alert that opens and resolves repeatedly. Missing if an earlier version
   * stored the entry.
   */
  readonly groupKey?: string;
  /** Number of notices that the entry stands for; missing: 1. */
  readonly times?: number;
  readonly title: string;
  readonly reason: NoticeReason;
  readonly state: IncidentState;
  readonly severity: Severity;
  readonly at: Date;
}

/** Digest with fixed contents. */
export interface Digest {
  readonly number: number;
  readonly at: Date;
  readonly since: Date;
  readonly held: readonly HeldNotice[];
  readonly more: number;
  readonly counts?: SeverityCounts;
  readonly messageId: string;
  readonly trouble?: NoticeError;
}
