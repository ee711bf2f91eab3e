import { type Incident, isNews, type NoticeReason } from "./incident.ts";
import type { NotifySettings } from "./rule.ts";

/** What an incident waits for. */
export interface Due {
  readonly at: Date;
  /** `pending`: a notice is settled, and is to be sent; `quiet`: something has not been heard of for too long; `removed`: its rule is removed. */
  readonly what: NoticeReason | "pending" | "quiet" | "removed";
}

/** What is new after the first notice comes soon; after that in the rule's own time. */
const FIRST_INTERVAL_MS = 60_000;

/** The first thing that an incident waits for; undefined: nothing. Follows from what it is alone, so that no restart changes it. */
export function dueOf(incident: Incident, notify: NotifySettings): Due | undefined {
  const { pending } = incident;
  if (pending) return { at: pending.trouble?.retryAt ?? pending.at, what: "pending" };
  if (incident.state === "resolved") return endDue(incident, notify);
  if (incident.ruleRemoved) return { at: incident.openedAt, what: "removed" };
  const found = [...tellings(incident, notify), ...quiet(incident, notify)];
  return found.sort((a, b) => a.at.getTime() - b.at.getTime())[0];
}

/** Who was told that something fires is told that it does no more. */
function endDue(incident: Incident, notify: NotifySettings): Due | undefined {
  const { resolvedAt, lastNoticeAt, threads } = incident;
  const isOwed = lastNoticeAt && notify.resolvedMail && threads.length > 0 && !incident.ended;
  return resolvedAt && isOwed ? { at: resolvedAt, what: "resolved" } : undefined;
}

function tellings(incident: Incident, notify: NotifySettings): Due[] {
  if (incident.stopped || notify.recipients.length === 0) return [];
  const found: Due[] = [];
  const add = (what: NoticeReason, at: Date) => {
    const held = isNews(what) ? incident.heldUntil : incident.restHeldUntil;
    found.push({ at: held && held > at ? held : at, what });
  };
  const { lastNoticeAt, escalation, untold, risenAt } = incident;
  // An acknowledgement is about what was notified: a critical alert that was not is news in any case.
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
