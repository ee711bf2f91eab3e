import { addressKey } from "../message/address/address-key.ts";
import { derivedMessageIdAt, idOfPart } from "../shared/ids.ts";
import { detailFields, type Phrase, phrase, phrases } from "../shared/phrase.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { greatestSeverity, severityRank } from "./alert.ts";
import {
  type Firing,
  type Incident,
  isNews,
  type Notice,
  type NoticeMail,
  type NoticePost,
  type NoticeReason,
  type Thread,
} from "./incident.ts";
import { summaryOf } from "./incident-changes.ts";
import { passesLimit } from "./notification-limits.ts";
import { isUntoldCritical } from "./notified-severity.ts";
import { type Addressee, addresseesOf, type OnCallOf } from "./recipients.ts";
import type { Escalation, NotifySettings } from "./rule.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

/** Maximum number of alerts in a notice. Others are only counted. */
const MAX_NAMED = 25;

export interface Freezing {
  readonly reason: NoticeReason;
  /** Alerts in the notice. */
  readonly notified: readonly Firing[];
  /** Number of alerts that the notice counts without reading them. */
  readonly unread: number;
  readonly notify: NotifySettings;
  readonly onCallOf: OnCallOf;
  readonly now: Date;
}

/** Alert targets of a notice, as for `addresseesOf`. */
export function targetsOf(incident: Incident, notify: NotifySettings, reason: NoticeReason): string[] {
  const { targets: before = [] } = incident;
  if (reason === "resolved") return [...before];
  const step = notify.escalation.steps[incident.escalation?.step ?? -1];
  if (reason === "escalation") return [...new Set(step?.targets ?? [])];
  return [...new Set([...(notify.targets ?? []), ...before])];
}

/**
 * Id of a notice for its receivers. It is derived, so that a repeated write creates no second delivery.
 * @param owner id of the incident, or of the notification limit of a digest
 */
export function noticeEventId(at: Date, owner: string, number: number): string {
  return idOfPart("ntc", at, number, [owner, String(number)]);
}

/** Fixes the contents of a notice. From then on it is sent exactly once. */
export function freezeNotice(unit: UnitOfWork, incident: Incident, freezing: Freezing): void {
  const { reason, notified, notify, onCallOf, now } = freezing;
  const { _id: incidentId, title, state, severity, groupKey } = incident;
  const addressees = addresseesOf(incident, notify, reason, onCallOf);
  const recipients = addressees.map(({ recipient }) => recipient);
  const targets = targetsOf(incident, notify, reason);
  const held = { incidentId, groupKey, title, reason, state, severity, at: now };
  const worst =
    notified.length > 0 ? greatestSeverity(notified.map(({ alert }) => alert.severity)) : severity;
  const passes = (recipient: string) =>
    passesLimit(unit, incident, { recipient, held, severity: worst, notify, now });
  const mailed = recipients.filter(passes);
  const posted = targets.filter(passes);
  const number = incident.notices + 1;
  const mails = mailed.map((recipient) => mailOf(incident, recipient, number, now));
  const eventId = noticeEventId(now, incidentId, number);
  const posts = posted.map((targetId) => ({ targetId, eventId }));
  const notifiedTargets = [...new Set([...(incident.targets ?? []), ...targets])];
  const news = notified.filter(({ untold }) => untold);
  // Recipients rely on the last notice: an alert with a higher severity than it stated is news.
  for (const firing of notified)
    if (firing.untold || firing.told !== firing.alert.severity) unit.markNotified(firing);

  const {
    risenAt,
    remind,
    escalation: _,
    pending: __,
    ended: ___,
    ...still
  } = withoutHold(incident, reason, now);
  const isRiseNotified = news.some(({ alert }) => severityRank(alert.severity) >= severityRank(severity));
  const escalation = nextEscalation(incident, notify.escalation, reason, now);
  unit.put({
    ...still,
    notices: number,
    lastNoticeAt: now,
    untold: incident.untold - news.length,
    untoldCritical: (incident.untoldCritical ?? 0) - news.filter(isUntoldCritical).length,
    threads: threadsWith(incident.threads, addressees, mails),
    ...(notifiedTargets.length > 0 && { targets: notifiedTargets }),
    // The alert with the higher severity may be muted. Then it is still to be notified.
    ...(risenAt && !isRiseNotified && reason !== "resolved" && { risenAt }),
    ...(remind && remind.reason !== reason && reason !== "resolved" && { remind }),
    ...(escalation && { escalation }),
    ...(mails.length + posts.length > 0 && {
      pending: noticeOf(incident, { number, mails, posts, freezing }),
    }),
    ...(reason === "resolved" && { ended: true }),
  });
  const messageIds = mails.map(({ messageId }) => messageId);
  unit.note(incidentId, {
    at: now,
    kind: "notice",
    ...detailFields(detailOf(reason, { addressees, targets }, new Set([...mailed, ...posted]))),
    messageIds,
    ...(posts.length > 0 && { posts }),
  });
  if (reason !== "escalation") return;
  const { round = 1, step = 0 } = incident.escalation ?? {};
  const detail = `round ${round}, step ${step + 1}`;
  unit.emit({ type: "incident.escalated", at: now, incident: unit.get(incidentId), detail });
}

/** Removes the suppression of such a notice. */
function withoutHold(incident: Incident, reason: NoticeReason, now: Date): Incident {
  const { heldUntil, restHeldUntil, heldBy, ...still } = incident;
  if (reason === "resolved") return still;
  const left = isNews(reason) ? restHeldUntil : heldUntil;
  if (!left || left <= now) return still;
  const held = isNews(reason) ? { restHeldUntil: left } : { heldUntil: left };
  return { ...still, ...held, ...(heldBy && { heldBy }) };
}

function mailOf(incident: Incident, recipient: string, number: number, now: Date): NoticeMail {
  const key = addressKey(recipient);
  const thread = incident.threads.find((one) => addressKey(one.recipient) === key);
  return {
    recipient,
    messageId: derivedMessageIdAt(now, incident._id, `notice ${number} ${key}`),
    ...(thread?.root && thread.last && { root: thread.root, inReplyTo: thread.last }),
  };
}

function noticeOf(
  incident: Incident,
  {
    number,
    mails,
    posts,
    freezing,
  }: Pick<Notice, "number" | "mails"> & {
    readonly posts: readonly NoticePost[];
    readonly freezing: Freezing;
  },
): Notice {
  const { reason, notified, unread, now } = freezing;
  const { state, severity, title } = incident;
  const worstFirst = [...notified].sort(
    (a, b) =>
      severityRank(b.alert.severity) - severityRank(a.alert.severity) ||
      b.lastAt.getTime() - a.lastAt.getTime(),
  );
  const alerts = worstFirst
    .slice(0, MAX_NAMED)
    .map(({ alert, alertId: id, lastAt: at, occurredAt }) => summaryOf({ id, at, alert, occurredAt }));
  const [worst] = worstFirst;
  return {
    number,
    reason,
    at: now,
    state,
    severity,
    title,
    mails,
    ...(posts.length > 0 && { posts }),
    alerts: notified.length > 0 ? alerts : [incident.latest],
    more: Math.max(0, notified.length - MAX_NAMED) + unread,
    context: worst?.alert.context ?? {},
    links: worst?.links ?? [],
    ...(worst && !worst.isWhole && { isContextPart: true }),
  };
}

/** Notified recipients, with the e-mail that the next one replies to. */
function threadsWith(
  former: readonly Thread[],
  addressees: readonly Addressee[],
  mails: readonly NoticeMail[],
): Thread[] {
  const threads = new Map(former.map((thread) => [addressKey(thread.recipient), thread]));
  for (const { recipient, schedules } of addressees) {
    const key = addressKey(recipient);
    const known = threads.get(key);
    const last = mails.find((mail) => addressKey(mail.recipient) === key)?.messageId;
    // An address that the rule names stays a recipient after its shift.
    const isNamed = schedules.length === 0 || (known !== undefined && !known.onCall);
    const onCall = [...new Set([...(known?.onCall ?? []), ...schedules])];
    const root = known?.root ?? last;
    threads.set(key, {
      recipient: known?.recipient ?? recipient,
      ...withoutUndefined({ root, last: last ?? known?.last }),
      ...(!isNamed && { onCall }),
    });
  }
  return [...threads.values()];
}

/** Notices that the first escalation step follows, if no step is left or none has begun. */
const BEGINNINGS: ReadonlySet<NoticeReason> = new Set(["first", "severity", "snooze_ended", "reopened"]);

/** First escalation step, which follows a notice or the end of an acknowledgement; undefined: there are no steps. */
export function firstStep({ steps: [first] }: Escalation, now: Date): Incident["escalation"] {
  return first && { round: 1, step: 0, at: new Date(now.getTime() + first.afterMs) };
}

/** Escalation step after a notice. */
function nextEscalation(
  incident: Incident,
  settings: Escalation,
  reason: NoticeReason,
  now: Date,
): Incident["escalation"] {
  const { escalation } = incident;
  const { steps, rounds } = settings;
  if (incident.state !== "open" || steps.length === 0) return undefined;
  const at = (step: number) => new Date(now.getTime() + (steps[step]?.afterMs ?? 0));
  if (!escalation) return BEGINNINGS.has(reason) ? firstStep(settings, now) : undefined;
  if (reason !== "escalation") return escalation;
  const { round, step } = escalation;
  if (step + 1 < steps.length) return { round, step: step + 1, at: at(step + 1) };
  return round < rounds ? { round: round + 1, step: 0, at: at(0) } : undefined;
}

interface Receivers {
  readonly addressees: readonly Addressee[];
  readonly targets: readonly string[];
}

/** Sentences such as `First notice. Sent to ops@example.com. Sent to ada@example.com, on call by primary.` */
function detailOf(reason: NoticeReason, all: Receivers, notified: ReadonlySet<string>): Phrase {
  const some = (isNotified: boolean) => ({
    addressees: all.addressees.filter(({ recipient }) => notified.has(recipient) === isNotified),
    targets: all.targets.filter((target) => notified.has(target) === isNotified),
  });
  return phrases(
    phrase(`notice.${reason}`),
    ...receiversPhrases("notice.sent", some(true)),
    ...receiversPhrases("notice.deferred", some(false)),
  );
}

/** One phrase for the recipients of each set of on-call schedules, and one for the alert targets. The entry has the targets. */
function receiversPhrases(
  how: "notice.sent" | "notice.deferred",
  { addressees, targets }: Receivers,
): Phrase[] {
  const bySchedules = new Map<string, { schedules: readonly string[]; receivers: string[] }>();
  for (const { recipient, schedules } of addressees) {
    const key = schedules.join("\n");
    const same = bySchedules.get(key) ?? { schedules, receivers: [] };
    same.receivers.push(recipient);
    bySchedules.set(key, same);
  }
  const mailed = [...bySchedules.values()].map(({ schedules, receivers }) =>
    schedules.length === 0 ? phrase(how, { receivers }) : phrase(`${how}_on_call`, { receivers, schedules }),
  );
  if (targets.length === 0) return mailed;
  return [
    ...mailed,
    targets.length === 1 ? phrase(`${how}_target`) : phrase(`${how}_targets`, { count: targets.length }),
  ];
}
