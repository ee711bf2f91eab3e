import type { Alert } from "../../alerts/alert.ts";
import { fingerprintOf } from "../../alerts/group-key.ts";
import type { AlertLink } from "../../alerts/incident.ts";
import { clear, fire, summaryOf } from "../../alerts/incident-changes.ts";
import { incidentTitle } from "../../alerts/incident-title.ts";
import { freezeNotice } from "../../alerts/notice.ts";
import type { Digest, NotificationLimit } from "../../alerts/notification-limit.ts";
import { limitId } from "../../alerts/notification-limits.ts";
import type { NotifySettings } from "../../alerts/rule.ts";
import { createUnitOfWork } from "../../alerts/unit-of-work.ts";
import { derivedMessageIdAt } from "../../shared/ids.ts";
import type { WrittenEmail } from "../send/mail-once.ts";
import { digestEmail, noticeEmail } from "./notice-email.ts";

/** Mail of a rule: of the first notice of an incident, of its resolution, or of a digest. */
export const sampleKinds = ["first", "resolved", "digest"] as const;
export type SampleKind = (typeof sampleKinds)[number];

export interface Sample {
  readonly accountId: string;
  readonly ruleName: string;
  readonly notify: NotifySettings;
  readonly alert: Alert;
  readonly links: readonly AlertLink[];
  readonly recipient: string;
  /** Address of the incident's page; undefined: the mail has no link. */
  readonly link: string | undefined;
  readonly now: Date;
}

/** Ids of what does not exist, in the form of real ones. */
const RULE_ID = `rul_${"0".repeat(26)}`;
const INCIDENT_ID = `inc_${"0".repeat(26)}`;
const ALERT_ID = `alr_${"0".repeat(26)}`;
/** Time from the alert to its resolution in an example. */
const ACTIVE_MS = 12 * 60_000;

/** The mail that a rule would send about an alert, written as real mail is. Nothing is stored. */
export function sampleMail(kind: SampleKind, sample: Sample): WrittenEmail {
  const { accountId, ruleName, alert, links, recipient, link, now } = sample;
  // The limit for one recipient must not hold back the second mail of the example.
  const notify: NotifySettings = { ...sample.notify, recipients: [recipient], onCall: [], ceiling: 1_000 };
  if (kind === "digest") return sampleDigest(sample, notify);
  const toRecipient = { notify, onCallOf: () => [] };
  const unit = createUnitOfWork(accountId);
  const at = kind === "resolved" ? new Date(now.getTime() - ACTIVE_MS) : now;
  const rule = { id: RULE_ID, version: 1, name: ruleName, notify };
  const fingerprint = fingerprintOf({ alert });
  const incoming = { id: ALERT_ID, accountId, at, alert, links, fingerprint };
  const { incidentId } = fire(unit, {
    rule,
    incoming,
    isMuted: false,
    newId: INCIDENT_ID,
    former: undefined,
  });
  const notified = unit.firingsOf(incidentId);
  freezeNotice(unit, unit.get(incidentId), { reason: "first", notified, unread: 0, ...toRecipient, now: at });
  if (kind === "resolved") {
    const { pending: _, ...sent } = unit.get(incidentId);
    unit.put(sent);
    const latest = summaryOf({ id: ALERT_ID, at: now, alert });
    for (const firing of notified) clear(unit, firing, { at: now, by: "an example", latest });
    freezeNotice(unit, unit.get(incidentId), {
      reason: "resolved",
      notified: [],
      unread: 0,
      ...toRecipient,
      now,
    });
  }
  const incident = unit.get(incidentId);
  const { pending: notice } = incident;
  const [mail] = notice?.mails ?? [];
  if (!notice || !mail) throw new Error("The example has no notice.");
  return noticeEmail({ incident, notice, mail, notify, link });
}

function sampleDigest({ accountId, ruleName, alert, recipient, link, now }: Sample, notify: NotifySettings) {
  const since = new Date(now.getTime() - notify.digestMs);
  const id = limitId(RULE_ID, recipient);
  const { severity } = alert;
  const held = { incidentId: INCIDENT_ID, reason: "first", state: "open", severity, at: now } as const;
  const counts = { [severity]: 1 };
  const digest: Digest = {
    number: 1,
    at: now,
    since,
    held: [{ ...held, title: incidentTitle(alert) }],
    more: 0,
    counts,
    messageId: derivedMessageIdAt(now, RULE_ID, "digest 1"),
  };
  const limit: NotificationLimit = {
    _id: id,
    accountId,
    ruleId: RULE_ID,
    ruleVersion: 1,
    recipient,
    held: [],
    more: 0,
    digests: 1,
    revision: 1,
    expireAt: now,
  };
  return digestEmail(limit, digest, { notify, ruleName, link: () => link });
}
