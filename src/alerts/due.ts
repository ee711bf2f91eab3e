import { type Incident, isNews, type NoticeReason } from "./incident.ts";
import type { NotifySettings } from "./rule.ts";

/** Next action of an incident. */
export interface Due {
  readonly at: Date;
  /** `pending`: a notice is ready to be sent; `quiet`: an alert had no update for too long; `removed`: the rule was removed. */
  readonly what: NoticeReason | "pending" | "quiet" | "removed";
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
  const found = [...dueNotices(incident, notify), ...quiet(incident, notify)];
  return found.sort((a, b) => a.at.getTime() - b.at.getTime())[0];
}

/** Recipients that were notified of an active alert are notified of its resolution. */
function endDue(incident: Incident, notify: NotifySettings): Due | undefined {
  const { resolvedAt, lastNoticeAt, threads } = incident;
  const isOwed = lastNoticeAt && notify.resolvedMail && threads.length > 0 && !incident.ended;
  return resolvedAt && isOwed ? { at: resolvedAt, what: "resolved" } : undefined;
}

function dueNotices(incident: Incident, notify: NotifySettings): Due[] {
  if (incident.stopped || notify.recipients.length === 0) return [];
  const found: Due[] = [];
  const add = (what: NoticeReason, at: Date) => {
    const held = isNews(what) ? incident.heldUntil : incident.restHeldUntil;
    found.push({ at: held && held > at ? held : at, what });
  };
  const { lastNoticeAt, escalation, untold, risenAt } = incident;
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
