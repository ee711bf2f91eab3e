import { greatestSeverity } from "./alert.ts";
import { ceilingId } from "./ceilings.ts";
import { type Due, dueOf } from "./due.ts";
import { type Firing, type HoldReason, type Incident, isNews, type NoticeReason } from "./incident.ts";
import { clear, resolve } from "./incident-changes.ts";
import type { Ledger } from "./ledger.ts";
import type { FiringReading } from "./ledger-changes.ts";
import type { Mute, Mutes } from "./mutes.ts";
import { freezeNotice, recipientsOf } from "./notice.ts";
import { quietUntil } from "./quiet-hours.ts";
import type { NotifySettings } from "./rule.ts";

export interface Settling {
  readonly now: Date;
  readonly mutes: Mutes;
  /** The rule of an incident, in the version with which it began. */
  readonly notifyOf: (incident: Pick<Incident, "ruleId" | "ruleVersion">) => NotifySettings;
  /** How long incidents are kept that are over. */
  readonly keptMs: number;
  /** Whoever settles a notice sends it, and has until then: others leave it alone. */
  readonly sendUntil: Date;
}

/** Where nothing says until when a notice is held, it is looked again after so long. */
const DAY_MS = 86_400_000;

/** What is to be read before an incident can be settled: nothing where nothing is due. */
export function needsOf(
  incident: Incident,
  { now, notifyOf }: Pick<Settling, "now" | "notifyOf">,
): { readonly firings: FiringReading | undefined; readonly ceilings: readonly string[] } {
  const notify = notifyOf(incident);
  const due = dueOf(incident, notify);
  if (!due || due.at > now || due.what === "pending") return { firings: undefined, ceilings: [] };
  const steps = notify.escalation.steps.flatMap(({ recipients }) => recipients);
  const recipients = [...recipientsOf(incident, notify, "first"), ...steps];
  const ceilings = new Set(recipients.map((recipient) => ceilingId(incident.ruleId, recipient)));
  return { firings: readingOf(due), ceilings: [...ceilings] };
}

/** The active alerts that must be read before something due can be done; undefined: none. */
function readingOf({ what }: Due): FiringReading | undefined {
  if (what === "pending" || what === "resolved" || what === "removed") return undefined;
  if (what === "quiet") return "quietest";
  return noticeReading(what);
}

function noticeReading(reason: NoticeReason): FiringReading {
  return isNews(reason) ? "untold" : "all";
}

/**
 * Does whatever is due for an incident, until nothing is: settles the content of a notice, or holds it back, or takes out what has
 * fallen silent. Where not all is at hand that fires, that is left to somebody who has read it.
 */
export function settle(ledger: Ledger, incidentId: string, settling: Settling): void {
  const { now, notifyOf } = settling;
  for (;;) {
    const incident = ledger.get(incidentId);
    const notify = notifyOf(incident);
    const due = dueOf(incident, notify);
    const isNow = due && due.at <= now && due.what !== "pending";
    const reading = due && readingOf(due);
    if (!isNow || (reading && !ledger.isRead(incidentId, reading))) {
      noteDue(ledger, incident, due, settling);
      return;
    }
    if (due.what === "resolved")
      freezeNotice(ledger, incident, { reason: "resolved", told: [], unread: 0, notify, now });
    else if (due.what === "removed") closeWithRule(ledger, incident, now);
    else if (due.what === "quiet") endQuiet(ledger, incident, notify, now);
    else tellOrHold(ledger, incident, due.what, settling);
  }
}

/** Nothing more is to be done now. */
function noteDue(
  ledger: Ledger,
  incident: Incident,
  due: Due | undefined,
  { now, keptMs, sendUntil }: Settling,
): void {
  const { dueAt: former, ...still } = incident;
  const isOver = incident.state === "resolved" && !due && !incident.expireAt;
  const dueAt = due?.what === "pending" && due.at <= now ? sendUntil : due?.at;
  if (former?.getTime() === dueAt?.getTime() && !isOver) return;
  const expireAt = new Date(now.getTime() + keptMs);
  ledger.put({ ...still, ...(dueAt && { dueAt }), ...(isOver && { expireAt }) });
}

/** Recipients get no mail: Hermod does not know whether the problem is over. */
function closeWithRule(ledger: Ledger, { _id }: Incident, now: Date): void {
  resolve(ledger, _id, now, "its rule was removed, its alerts may still be active");
  ledger.put({ ...ledger.get(_id), ended: true });
}

/** What was not heard of for too long is taken to be well. */
function endQuiet(ledger: Ledger, incident: Incident, { autoResolveMs }: NotifySettings, now: Date): void {
  const bound = now.getTime() - autoResolveMs;
  const by = "nothing was heard of it any more";
  for (const firing of ledger.firingsOf(incident._id))
    if (firing.lastAt.getTime() <= bound) clear(ledger, firing, { at: now, by });
  const left = ledger.get(incident._id);
  if (!left.open) return;
  if (left.firing === 0) {
    resolve(ledger, left._id, now, by);
    return;
  }
  const times = ledger.firingsOf(incident._id).map(({ lastAt }) => lastAt.getTime());
  // Those that were not read are next.
  const isMore = ledger.unread(incident._id, "quietest", left.firing, times.length) > 0;
  const quietest = times.reduce((least, time) => Math.min(least, time), isMore ? bound + 1 : Infinity);
  ledger.put({ ...left, quietestAt: new Date(quietest) });
}

/** Mute of an active alert at present, by its whole context; undefined: none. */
export function muteOf(
  ledger: Ledger,
  firing: Firing,
  { mutes, now }: Pick<Settling, "mutes" | "now">,
): Mute | undefined {
  const verdict = ledger.verdict(firing);
  if (verdict) return verdict.mute;
  const heard = { alert: ledger.wholeOf(firing), fingerprint: firing.fingerprint };
  return mutes.muteOf(heard, ledger.sources, now);
}

function tellOrHold(ledger: Ledger, incident: Incident, reason: NoticeReason, settling: Settling): void {
  const { now, notifyOf } = settling;
  const told: Firing[] = [];
  const reading = noticeReading(reason);
  const leftOut = ledger.leftOut(incident._id, reading);
  const held: Mute[] = leftOut.mute ? [leftOut.mute] : [];
  const asked = ledger.firingsOf(incident._id).filter(({ untold }) => !isNews(reason) || untold);
  for (const firing of asked) {
    const mute = muteOf(ledger, firing, settling);
    if (mute) held.push(mute);
    else told.push(firing);
  }
  // What had risen is well again, though others fire on.
  if (isNews(reason) && told.length + held.length === 0) {
    const { risenAt: _, ...rest } = incident;
    ledger.put({ ...rest, untold: 0, untoldCritical: 0 });
    return;
  }
  if (told.length === 0 && !isUncounted(incident)) {
    const [first] = held.sort((a, b) => a.until.getTime() - b.until.getTime());
    const until = first?.until ?? new Date(now.getTime() + DAY_MS);
    hold(ledger, incident, { reason, heldBy: first?.reason ?? "silenced", until, now });
    return;
  }
  const notify = notifyOf(incident);
  const count = isNews(reason) ? incident.untold : incident.firing;
  const unread = ledger.unread(incident._id, reading, count, asked.length);
  const severity = isUncounted(incident)
    ? incident.severity
    : greatestSeverity(told.map(({ alert }) => alert.severity));
  const until = quietUntil(notify, severity, now);
  if (until) hold(ledger, incident, { reason, heldBy: "quiet_hours", until, now });
  else freezeNotice(ledger, incident, { reason, told, unread, notify, now });
}

/** Nothing is active but what an earlier version did not keep. */
function isUncounted({ firing, uncounted = 0 }: Incident): boolean {
  return firing === 0 && uncounted > 0;
}

interface Hold {
  readonly reason: NoticeReason;
  readonly heldBy: HoldReason;
  readonly until: Date;
  readonly now: Date;
}

/** What is held of one thing must not hold back what is to be said of the others. */
function hold(ledger: Ledger, incident: Incident, { reason, heldBy, until, now }: Hold): void {
  const heldUntil = until > now ? until : new Date(now.getTime() + 1);
  const held = isNews(reason) ? { heldUntil } : { restHeldUntil: heldUntil };
  ledger.put({ ...incident, heldBy, ...held });
  if (incident.heldBy === heldBy) return;
  const detail = `${heldBy}, to be looked at again at ${heldUntil.toISOString()}`;
  ledger.note(incident._id, { at: now, kind: "held", detail });
}
