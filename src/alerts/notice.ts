import { addressKey } from "../message/address/addresses.ts";
import { derivedMessageIdAt } from "../shared/ids.ts";
import { greatestSeverity, severityRank } from "./alert.ts";
import { passesCeiling } from "./ceilings.ts";
import {
  type Firing,
  type Incident,
  isNews,
  type Notice,
  type NoticeMail,
  type NoticeReason,
  type Thread,
} from "./incident.ts";
import { isUntoldCritical, summaryOf } from "./incident-changes.ts";
import type { Escalation, NotifySettings } from "./rule.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

/** Alerts that a notice names; others are counted. */
const MAX_NAMED = 25;

export interface Freezing {
  readonly reason: NoticeReason;
  /** What it tells of. */
  readonly told: readonly Firing[];
  /** Alerts that it counts though they were not read. */
  readonly unread: number;
  readonly notify: NotifySettings;
  readonly now: Date;
}

/** Who hears of an incident: whom its rule names, and whoever was told of it before. */
export function recipientsOf(incident: Incident, notify: NotifySettings, reason: NoticeReason): string[] {
  const before = incident.threads.map(({ recipient }) => recipient);
  if (reason === "resolved") return before;
  const step = notify.escalation.steps[incident.escalation?.step ?? -1];
  if (reason === "escalation") return eachOnce(step?.recipients ?? []);
  return eachOnce([...notify.recipients, ...before]);
}

/** Settles the content of a notice: from here on it is sent, once, whatever happens. */
export function freezeNotice(unit: UnitOfWork, incident: Incident, freezing: Freezing): void {
  const { reason, told, notify, now } = freezing;
  const { _id: incidentId, title, state, severity, groupKey } = incident;
  const recipients = recipientsOf(incident, notify, reason);
  const held = { incidentId, groupKey, title, reason, state, severity, at: now };
  const worst = told.length > 0 ? greatestSeverity(told.map(({ alert }) => alert.severity)) : severity;
  const mailed = recipients.filter((recipient) =>
    passesCeiling(unit, incident, { recipient, held, severity: worst, notify, now }),
  );
  const number = incident.notices + 1;
  const mails = mailed.map((recipient) => mailOf(incident, recipient, number, now));
  const news = told.filter(({ untold }) => untold);
  // Recipients take the last notice for what is true: an alert that is worse than it said is news.
  for (const firing of told)
    if (firing.untold || firing.told !== firing.alert.severity) unit.tellFiring(firing);

  const { risenAt, escalation: _, pending: __, ...still } = withoutHold(incident, reason, now);
  const isRiseTold = news.some(({ alert }) => severityRank(alert.severity) >= severityRank(severity));
  const escalation = nextEscalation(incident, notify.escalation, reason, now);
  unit.put({
    ...still,
    notices: number,
    lastNoticeAt: now,
    untold: incident.untold - news.length,
    untoldCritical: (incident.untoldCritical ?? 0) - news.filter(isUntoldCritical).length,
    threads: threadsWith(incident.threads, recipients, mails),
    // What has risen may be muted: then it is still to be told.
    ...(risenAt && !isRiseTold && reason !== "resolved" && { risenAt }),
    ...(escalation && { escalation }),
    ...(mails.length > 0 && { pending: noticeOf(incident, { number, mails, freezing }) }),
    ...(reason === "resolved" && { ended: true }),
  });
  const messageIds = mails.map(({ messageId }) => messageId);
  unit.note(incidentId, {
    at: now,
    kind: "notice",
    detail: detailOf(reason, recipients, mailed),
    messageIds,
  });
  if (reason !== "escalation") return;
  const { round = 1, step = 0 } = incident.escalation ?? {};
  const detail = `round ${round}, step ${step + 1}`;
  unit.tell({ type: "incident.escalated", at: now, incident: unit.get(incidentId), detail });
}

/** What held such a notice back does so no more. */
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
  { number, mails, freezing }: Pick<Notice, "number" | "mails"> & { readonly freezing: Freezing },
): Notice {
  const { reason, told, unread, now } = freezing;
  const { state, severity, title } = incident;
  const worstFirst = [...told].sort(
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
    alerts: told.length > 0 ? alerts : [incident.latest],
    more: Math.max(0, told.length - MAX_NAMED) + unread,
    context: worst?.alert.context ?? {},
    links: worst?.links ?? [],
    ...(worst && !worst.isWhole && { isContextPart: true }),
  };
}

/** Each who was told, with the mail that the next one answers. */
function threadsWith(
  former: readonly Thread[],
  recipients: readonly string[],
  mails: readonly NoticeMail[],
): Thread[] {
  const threads = new Map(former.map((thread) => [addressKey(thread.recipient), thread]));
  for (const recipient of recipients) {
    const key = addressKey(recipient);
    const thread = threads.get(key) ?? { recipient };
    const last = mails.find((mail) => addressKey(mail.recipient) === key)?.messageId;
    threads.set(
      key,
      last === undefined ? thread : { recipient: thread.recipient, root: thread.root ?? last, last },
    );
  }
  return [...threads.values()];
}

/** The step that follows a notice: the first one follows the first notice, and one of greater severity. */
function nextEscalation(
  incident: Incident,
  { steps, rounds }: Escalation,
  reason: NoticeReason,
  now: Date,
): Incident["escalation"] {
  const { escalation } = incident;
  if (incident.state !== "open" || steps.length === 0) return undefined;
  const at = (step: number) => new Date(now.getTime() + (steps[step]?.afterMs ?? 0));
  if (!escalation)
    return reason === "first" || reason === "severity" ? { round: 1, step: 0, at: at(0) } : undefined;
  if (reason !== "escalation") return escalation;
  const { round, step } = escalation;
  if (step + 1 < steps.length) return { round, step: step + 1, at: at(step + 1) };
  return round < rounds ? { round: round + 1, step: 0, at: at(0) } : undefined;
}

function detailOf(reason: NoticeReason, recipients: readonly string[], mailed: readonly string[]): string {
  const waiting = recipients.filter((one) => !mailed.includes(one));
  const parts = [
    mailed.length > 0 ? `to ${mailed.join(", ")}` : "",
    waiting.length > 0 ? `for the next digest to ${waiting.join(", ")}` : "",
  ];
  return `${reason}: ${parts.filter((part) => part !== "").join("; ")}`;
}

function eachOnce(addresses: readonly string[]): string[] {
  const keys = addresses.map(addressKey);
  return addresses.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
}
