import type { NoticePost } from "./incident.ts";

/**
 * - `opened`, `reopened`: by an alert, or by a member
 * - `risen`: the severity of the incident or of one of its alerts became higher
 * - `held`: a notice was suppressed
 * - `notice`, `notice_failed`: a notice was sent, or cannot be sent
 * - `acknowledged`, `unacknowledged`, `snoozed`, `snooze_ended`, `assigned`
 * - `note`: a member wrote a note
 * - `resolved`
 */
export const historyKinds = [
  "opened",
  "reopened",
  "risen",
  "held",
  "notice",
  "notice_failed",
  "acknowledged",
  "unacknowledged",
  "snoozed",
  "snooze_ended",
  "assigned",
  "note",
  "resolved",
] as const;
export type HistoryKind = (typeof historyKinds)[number];

/** Entry in the history of an incident. */
export interface HistoryEntry {
  /** Id: `incident.number`. */
  readonly _id: string;
  readonly accountId: string;
  readonly incidentId: string;
  readonly at: Date;
  readonly kind: HistoryKind;
  /** Details for people: user, reason, end time; text of a note. */
  readonly detail: string;
  /** Author of a note. Missing: another kind of entry. */
  readonly by?: string;
  readonly messageIds?: readonly string[];
  /** Requests to alert targets; missing: none. */
  readonly posts?: readonly NoticePost[];
  readonly expireAt: Date;
}

/** Kinds that only members of the account see, and not recipients of mail. */
const INTERNAL: ReadonlySet<HistoryKind> = new Set(["assigned", "note"]);

export function isForRecipients({ kind }: Pick<HistoryEntry, "kind">): boolean {
  return !INTERNAL.has(kind);
}
