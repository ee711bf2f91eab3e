import { detailFields, type Phrase, type TextPart } from "../shared/phrase.ts";
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
  /** Parts of `detail`. Missing: it is the text or the name of a person, or an earlier release stored it. */
  readonly detailParts?: readonly TextPart[];
  /** Author of a note. Missing: another kind of entry. */
  readonly by?: string;
  readonly messageIds?: readonly string[];
  /** Requests to alert targets; missing: none. */
  readonly posts?: readonly NoticePost[];
  readonly expireAt: Date;
}

/** Name of an actor, or a reason that Hermod states. */
export type Cause = string | Phrase;

export const causeText = (cause: Cause) => (typeof cause === "string" ? cause : cause.text);
export const causeFields = (cause: Cause) =>
  typeof cause === "string" ? { detail: cause } : detailFields(cause);

/** Kinds that only members of the account see, and not recipients of mail. */
const INTERNAL: ReadonlySet<HistoryKind> = new Set(["assigned", "note"]);

export function isForRecipients({ kind }: Pick<HistoryEntry, "kind">): boolean {
  return !INTERNAL.has(kind);
}
