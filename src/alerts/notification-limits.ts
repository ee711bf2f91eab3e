import { addressKey } from "../message/address/address-key.ts";
import { derivedMessageIdAt } from "../shared/ids.ts";
import { greatestSeverity, type Severity, severities, severityRank } from "./alert.ts";
import type { Incident } from "./incident.ts";
import type { HeldNotice, MailedNotice, NotificationLimit, SeverityCounts } from "./notification-limit.ts";
import { quietUntil } from "./quiet-hours.ts";
import type { NotifySettings } from "./rule.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

const HOUR_MS = 3_600_000;
/** Maximum number of entries in a digest. Others are only counted. */
const MAX_LISTED = 25;
/** Maximum number of alerts kept for a digest. Notices of other alerts are only counted. */
const MAX_HELD = 100;
/** Maximum number of e-mails remembered for an hour. Rules allow no higher limit. Only critical alerts can exceed it. */
const MAX_MAILED = 1_000;
/** Retention of the state of a recipient without e-mails. */
const KEPT_MS = 30 * 86_400_000;

/**
 * An alert that opens and resolves repeatedly can use a fifth of the notification limit per hour without a wait. After that, each
 * e-mail doubles the wait for the next one, until half of the limit is used.
 */
const FREE_PART = 5;
const LARGEST_PART = 2;
const FIRST_BACKOFF_MS = 5 * 60_000;

export function limitId(ruleId: string, recipient: string): string {
  return `${ruleId}.${addressKey(recipient)}`;
}

type FormerLimit = Omit<NotificationLimit, "ruleVersion" | "expireAt">;

export interface PassingNotice {
  readonly recipient: string;
  readonly held: HeldNotice;
  /** Highest severity of the alerts in the notice. */
  readonly severity: Severity;
  readonly notify: NotifySettings;
  readonly now: Date;
}

/**
 * Whether a recipient may be notified now. Otherwise the notice waits for a digest. Both results are recorded. The notification
 * limit never delays a critical alert, nor the first notice of a severity higher than all that were sent within the hour.
 */
export function passesLimit(
  unit: UnitOfWork,
  { accountId, ruleId, ruleVersion, groupKey }: Incident,
  { recipient, held, severity, notify, now }: PassingNotice,
): boolean {
  const id = limitId(ruleId, recipient);
  const former: FormerLimit = unit.ceiling(id) ?? {
    _id: id,
    accountId,
    ruleId,
    recipient,
    held: [],
    more: 0,
    digests: 0,
    revision: 0,
  };
  const { mailedAt: _, ...known } = former;
  const mailed = mailedOf(former).filter(({ at }) => at.getTime() > now.getTime() - HOUR_MS);
  const expireAt = new Date(now.getTime() + KEPT_MS);
  const common = { ...known, ruleVersion, expireAt };
  const mail: MailedNotice = { at: now, groupKey, reason: held.reason, severity };
  const isAllowed =
    mailed.length < notify.ceiling && !isWaiting(former, held) && !isDamped(mailed, mail, notify);
  if (isAllowed || isUrgent(mailed, mail)) {
    const next: NotificationLimit = { ...common, mailed: [...mailed, mail].slice(-MAX_MAILED) };
    unit.putLimit(withDue(next, notify));
    return true;
  }
  const next: NotificationLimit = {
    ...common,
    mailed,
    ...heldWith(former, held),
    heldSince: former.heldSince ?? now,
  };
  unit.putLimit(withDue(next, notify));
  return false;
}

function mailedOf({
  mailed,
  mailedAt = [],
}: Pick<NotificationLimit, "mailed" | "mailedAt">): readonly MailedNotice[] {
  return mailed ?? mailedAt.map((at) => ({ at }));
}

function isUrgent(mailed: readonly MailedNotice[], { reason, severity = "info" }: MailedNotice): boolean {
  if (reason === "resolved") return false;
  const above = (one: MailedNotice) =>
    one.reason !== "resolved" && one.severity && severityRank(one.severity) >= severityRank(severity);
  return severity === "critical" || (severity !== "info" && !mailed.some(above));
}

/** A notice waits if an earlier notice about the same alert is waiting, so that it does not overtake that one. */
function isWaiting(limit: Pick<NotificationLimit, "held">, held: HeldNotice): boolean {
  return limit.held.some((one) => keyOf(one) === keyOf(held));
}

function keyOf({ groupKey, incidentId }: HeldNotice): string {
  return groupKey ?? incidentId;
}

/** Whether an alert opens and resolves so often that its e-mails would use up the limit for others. */
function isDamped(
  mailed: readonly MailedNotice[],
  { at, groupKey, reason }: MailedNotice,
  { ceiling: limit }: NotifySettings,
): boolean {
  const isFlap = (one: MailedNotice["reason"]) => one === "first" || one === "resolved";
  if (!isFlap(reason)) return false;
  const own = mailed.filter((one) => one.groupKey === groupKey && isFlap(one.reason));
  // An alert may always be opened and resolved once.
  const share = Math.max(2, Math.floor(limit / LARGEST_PART));
  const free = Math.max(2, Math.floor(limit / FREE_PART));
  const last = own.at(-1);
  if (!last || own.length < free) return false;
  const backoffMs = FIRST_BACKOFF_MS * 2 ** (own.length - free);
  return own.length >= share || at.getTime() - last.at.getTime() < backoffMs;
}

/** A digest has one entry per alert, with its latest state and its highest severity. */
function heldWith(
  former: FormerLimit,
  held: HeldNotice,
): Pick<NotificationLimit, "held" | "more" | "counts"> {
  const same = former.held.find((one) => keyOf(one) === keyOf(held));
  const merged: HeldNotice = same
    ? { ...held, times: timesOf(same) + 1, severity: greatestSeverity([same.severity, held.severity]) }
    : held;
  const all = [merged, ...former.held.filter((one) => one !== same)].sort(byWeight);
  const beyond = noticeCount(all.slice(MAX_HELD));
  const counts = former.counts ?? countsOf(former.held);
  return {
    held: all.slice(0, MAX_HELD),
    more: former.more + beyond,
    counts: { ...counts, [held.severity]: (counts[held.severity] ?? 0) + 1 },
  };
}

function timesOf({ times = 1 }: HeldNotice): number {
  return times;
}

/** Number of notices that the entries stand for, plus `more`. */
export function noticeCount(held: readonly HeldNotice[], more = 0): number {
  return held.reduce((sum, one) => sum + timesOf(one), more);
}

function countsOf(held: readonly HeldNotice[]): SeverityCounts {
  const counts: SeverityCounts = {};
  for (const one of held) counts[one.severity] = (counts[one.severity] ?? 0) + timesOf(one);
  return counts;
}

/** Orders by severity, highest first, then by time, latest first. */
function byWeight(a: HeldNotice, b: HeldNotice): number {
  return severityRank(b.severity) - severityRank(a.severity) || b.at.getTime() - a.at.getTime();
}

/** Determines the contents of a digest that is due. */
export function settleLimit(unit: UnitOfWork, id: string, notify: NotifySettings, now: Date): void {
  const limit = unit.ceiling(id);
  const dueAt = limit && digestDue(limit, notify);
  if (!limit?.heldSince || limit.pending || !dueAt || dueAt > now) return;
  const { heldSince: since, held, more, counts = countsOf(held), ...rest } = limit;
  // Quiet hours may have begun since the digest was due.
  const quiet = quietUntil(notify, severityHeld(held), now);
  if (quiet) {
    unit.putLimit({ ...limit, dueAt: quiet });
    return;
  }
  const number = limit.digests + 1;
  const messageId = derivedMessageIdAt(now, messageIdOf(id), `digest ${number}`);
  const sorted = [...held].sort(byWeight);
  const beyond = noticeCount(sorted.slice(MAX_LISTED));
  const listed = sorted.slice(0, MAX_LISTED);
  const pending = { number, at: now, since, held: listed, more: more + beyond, counts, messageId };
  const next = { ...rest, held: [], more: 0, digests: number, lastDigestAt: now, pending };
  unit.putLimit(withDue(next, notify));
}

/** Updates the due time after a digest was sent or failed. */
export function withDue(limit: NotificationLimit, notify: NotifySettings): NotificationLimit {
  const { dueAt: _, ...rest } = limit;
  const dueAt = digestDue(limit, notify);
  return dueAt ? { ...rest, dueAt } : rest;
}

/** Time of the digest that includes a notice of an incident; undefined if no notice is waiting. */
export function digestAt(
  unit: Pick<UnitOfWork, "ceiling">,
  { _id: incidentId, ruleId, threads, targets = [] }: Incident,
): Date | undefined {
  const receivers = [...threads.map(({ recipient }) => recipient), ...targets];
  const waiting = receivers.flatMap((recipient) => unit.ceiling(limitId(ruleId, recipient)) ?? []);
  return waiting
    .filter(({ held }) => held.some((one) => one.incidentId === incidentId))
    .flatMap(({ dueAt }) => dueAt ?? [])
    .sort((a, b) => a.getTime() - b.getTime())[0];
}

function digestDue(
  { pending, heldSince, lastDigestAt, held }: NotificationLimit,
  notify: NotifySettings,
): Date | undefined {
  if (pending) return pending.trouble?.retryAt ?? pending.at;
  if (!heldSince) return undefined;
  const at = new Date(Math.max(heldSince.getTime(), lastDigestAt?.getTime() ?? 0) + notify.digestMs);
  return quietUntil(notify, severityHeld(held), at) ?? at;
}

/** Highest severity of active alerts. Resolved alerts do not break quiet hours. */
function severityHeld(held: readonly HeldNotice[]): Severity {
  return greatestSeverity(held.filter(({ state }) => state !== "resolved").map(({ severity }) => severity));
}

/** Text such as `2 critical, 38 info`. */
export function countsText(counts: SeverityCounts): string {
  return severities
    .toReversed()
    .flatMap((severity) => (counts[severity] ? [`${counts[severity]} ${severity}`] : []))
    .join(", ");
}

/** Message ids are derived from ids. This is the id of the rule. */
function messageIdOf(id: string): string {
  return id.slice(0, id.indexOf("."));
}
