import { type Incident, isNews, type NoticeReason } from "./incident.ts";
import { hasReceivers, type NotifySettings } from "./rule.ts";

/** Next action of an incident. */
export interface Due {
  readonly at: Date;
  /**
   * - `pending`: a notice is ready to be sent
   * - `quiet`: an alert had no update for too long
   * - `removed`: the rule was removed
   * - `snoozed`: a snooze ends
   */
  readonly what: NoticeReason | "pending" | "quiet" | "removed" | "snoozed";
}

/** Interval between the first notice and the next one. Later notices follow the interval of the rule. */
const FIRST_INTERVAL_MS = 60_000;

/**
 * Next action of an incident; undefined if there is none. It depends only on the incident, so that a restart does not change it.
 */
export function dueOf(incident: Incident, notify: NotifySettings): Due | undefined {
  const { pending } = incident;
  if (pending) return { at: pending.trouble?.retryAt ?? pending.at, what: "pending" };
  if (incident.state === "resolved") return endDue(incident, notify);
  if (incident.ruleRemoved) return { at: incident.openedAt, what: "removed" };
  const { snoozedUntil } = incident;
  const notices: Due[] = snoozedUntil
    ? [{ at: snoozedUntil, what: "snoozed" }]
    : dueNotices(incident, notify);
  const found = [...notices, ...quiet(incident, notify)];
  return found.sort((a, b) => a.at.getTime() - b.at.getTime())[0];
}

/** Time of the next notice, as far as it is known; undefined: the next action is no notice. */
export function nextNoticeAt(due: Due | undefined): Date | undefined {
  return due?.what === "quiet" || due?.what === "removed" ? undefined : due?.at;
}

/** Recipients that were notified of an active alert are notified of its resolution. */
function endDue(incident: Incident, notify: NotifySettings): Due | undefined {
  const { resolvedAt, lastNoticeAt, threads, targets = [] } = incident;
  const isNotified = threads.length + targets.length > 0;
  const isOwed = lastNoticeAt && notify.resolvedMail && isNotified && !incident.ended;
  return resolvedAt && isOwed ? { at: resolvedAt, what: "resolved" } : undefined;
}

function dueNotices(incident: Incident, notify: NotifySettings): Due[] {
  if (incident.stopped || !hasReceivers(notify)) return [];
  const found: Due[] = [];
  const { lastNoticeAt, escalation, untold, risenAt, remind } = incident;
  const add = (what: NoticeReason, from: Date) => {
    const held = isNews(what) ? incident.heldUntil : incident.restHeldUntil;
    const at = remind && remind.at > from ? remind.at : from;
    found.push({ at: held && held > at ? held : at, what });
  };
  // Before the others of the same time: it contains all active alerts.
  if (remind) add(remind.reason, remind.at);
  // An acknowledgement covers what was notified. A critical alert that was not notified is always news.
  const hasNews = incident.state === "open" ? untold > 0 : (incident.untoldCritical ?? 0) > 0;
  if (!lastNoticeAt) {
    if (hasNews) add("first", later(incident.openedAt, notify.waitMs));
    return found;
  }
  const first = Math.min(FIRST_INTERVAL_MS, notify.intervalMs);
  const newAt = later(lastNoticeAt, incident.notices === 1 ? first : notify.intervalMs);
  if (risenAt) add("severity", hasNews && newAt < risenAt ? newAt : risenAt);
  else if (hasNews) add("new", newAt);
  if (incident.state !== "open") return found;
  if (escalation) add("escalation", escalation.at);
  if (notify.repeatMs > 0) add("repeat", later(lastNoticeAt, notify.repeatMs));
  return found;
}

function quiet({ quietestAt }: Incident, { autoResolveMs }: NotifySettings): Due[] {
  return quietestAt && autoResolveMs > 0 ? [{ at: later(quietestAt, autoResolveMs), what: "quiet" }] : [];
}

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}
