import { groupKeyOf } from "./group-key.ts";
import type { Incident, NoticeReason } from "./incident.ts";
import {
  acknowledge,
  clear,
  fire,
  type IncomingAlert,
  summaryOf,
  type TakingRule,
} from "./incident-changes.ts";
import { createMutes } from "./mutes.ts";
import { limitId, settleLimit, withDue } from "./notification-limits.ts";
import { isTargetId } from "./notify/target.ts";
import type { OnCallOf } from "./recipients.ts";
import { DEFAULT_NOTIFY, type NotifySettings } from "./rule.ts";
import { settle } from "./settle.ts";
import { createTimeQueue } from "./time-queue.ts";
import { createUnitOfWork } from "./unit-of-work.ts";

/** Alert of the past. */
export interface PastAlert extends IncomingAlert {
  readonly status: "firing" | "resolved" | "acknowledged";
}

/** Numbers of a rule. */
export interface NoticeCounts {
  /** Incidents that would have been opened. */
  readonly incidents: number;
  /** Notices of these incidents. */
  readonly notices: number;
  /** E-mails, including digests. */
  readonly mails: number;
  /** Requests to alert targets, including digests. */
  readonly posts: number;
  readonly digests: number;
}

/** A notice that a rule would have sent. */
export interface SimulatedNotice {
  readonly ruleId: string;
  readonly at: Date;
  readonly reason: NoticeReason | "digest";
  /** Title of the incident at that time; empty for a digest. */
  readonly title: string;
  readonly recipients: readonly string[];
  /** Number of alert targets. */
  readonly targets: number;
}

export interface NoticeSimulation {
  /**
   * Takes an alert of the present time, after `advance` to this time.
   * @param rules rules that match it; none for a resolution or an acknowledgement
   */
  take(alert: PastAlert, rules: readonly TakingRule[]): void;
  /** Performs at most `most` due actions until a time. Returns false if others are left. */
  advance(to: Date, most: number): boolean;
  /** Numbers by the id of the rule. */
  counts(): ReadonlyMap<string, NoticeCounts>;
}

type OnCallAt = (schedule: string, at: Date) => readonly string[];

const NONE: NoticeCounts = { incidents: 0, notices: 0, mails: 0, posts: 0, digests: 0 };
const KEPT_MS = 86_400_000;
const ID_DIGITS = 26;

/**
 * Counts the notices that rules would have sent for alerts, with the code that decides about real ones. Nothing is silenced or
 * inhibited, and no person acknowledges or resolves an incident.
 * @param onCallAt returns the addresses that an on-call schedule notifies at a time
 * @param onNotice receives each notice with a receiver, in the order of their times
 */
export function createNoticeSimulation(
  onCallAt: OnCallAt,
  onNotice: (notice: SimulatedNotice) => void = () => {},
): NoticeSimulation {
  const unit = createUnitOfWork("");
  const mutes = createMutes([], []);
  const notifies = new Map<string, NotifySettings>();
  const counts = new Map<string, NoticeCounts>();
  /** Ids of the incidents of an active alert, by its fingerprint. */
  const active = new Map<string, Set<string>>();
  const incidentsDue = createTimeQueue();
  const limitsDue = createTimeQueue();
  let opened = 0;

  const notifyOf = ({ ruleId }: Pick<Incident, "ruleId">) => notifies.get(ruleId) ?? DEFAULT_NOTIFY;

  function count(ruleId: string, added: Partial<NoticeCounts>): void {
    const former = counts.get(ruleId) ?? NONE;
    counts.set(ruleId, {
      incidents: former.incidents + (added.incidents ?? 0),
      notices: former.notices + (added.notices ?? 0),
      mails: former.mails + (added.mails ?? 0),
      posts: former.posts + (added.posts ?? 0),
      digests: former.digests + (added.digests ?? 0),
    });
  }

  /** Performs what is due for an incident, as if its mail left at once. */
  function settleIncident(id: string, now: Date): void {
    const onCallOf: OnCallOf = (_, schedule) => onCallAt(schedule, now);
    const settling = { now, mutes, notifyOf, onCallOf, keptMs: KEPT_MS, sendUntil: now };
    for (;;) {
      const { notices, ruleId } = unit.get(id);
      settle(unit, id, settling);
      const { pending, ...closed } = unit.get(id);
      const { mails = [], posts = [] } = pending ?? {};
      count(ruleId, { notices: closed.notices - notices, mails: mails.length, posts: posts.length });
      if (!pending) break;
      const recipients = mails.map(({ recipient }) => recipient);
      const { reason, title = "" } = pending;
      if (recipients.length + posts.length > 0)
        onNotice({ ruleId, at: now, reason, title, recipients, targets: posts.length });
      unit.put(closed);
    }
    const { dueAt, ruleId, threads, targets = [] } = unit.get(id);
    if (dueAt) incidentsDue.set(id, dueAt);
    else incidentsDue.delete(id);
    for (const receiver of [...threads.map(({ recipient }) => recipient), ...targets])
      schedule(limitId(ruleId, receiver));
  }

  function schedule(id: string): void {
    const dueAt = unit.ceiling(id)?.dueAt;
    if (dueAt) limitsDue.set(id, dueAt);
    else limitsDue.delete(id);
  }

  function sendDigest(id: string, now: Date): void {
    const former = unit.ceiling(id);
    if (!former) return;
    const notify = notifyOf(former);
    settleLimit(unit, id, notify, now);
    const { pending, ...closed } = unit.ceiling(id) ?? former;
    if (pending) {
      const isPost = isTargetId(former.recipient);
      count(former.ruleId, { digests: 1, [isPost ? "posts" : "mails"]: 1 });
      onNotice({
        ruleId: former.ruleId,
        at: now,
        reason: "digest",
        title: "",
        recipients: isPost ? [] : [former.recipient],
        targets: isPost ? 1 : 0,
      });
      unit.putLimit(withDue(closed, notify));
    }
    schedule(id);
  }

  function open(alert: PastAlert, rule: TakingRule): void {
    const { at, fingerprint } = alert;
    notifies.set(rule.id, rule.notify);
    const groupKey = groupKeyOf(alert, rule.notify.groupBy);
    const newId = `inc_${String(opened).padStart(ID_DIGITS, "0")}`;
    const former = unit.formerOf(rule.id, groupKey);
    const { incidentId } = fire(unit, { rule, incoming: alert, isMuted: false, newId, former });
    if (incidentId === newId) {
      opened++;
      count(rule.id, { incidents: 1 });
    }
    const ofAlert = active.get(fingerprint) ?? new Set();
    active.set(fingerprint, ofAlert.add(incidentId));
    settleIncident(incidentId, at);
  }

  function update(alert: PastAlert): void {
    const { at, fingerprint, status } = alert;
    for (const id of active.get(fingerprint) ?? []) {
      const firing = unit.firing(id, fingerprint);
      if (!firing) continue;
      if (status === "resolved") clear(unit, firing, { at, by: "its source", latest: summaryOf(alert) });
      else acknowledge(unit, id, at, "its source");
      settleIncident(id, at);
    }
    if (status === "resolved") active.delete(fingerprint);
  }

  return {
    take(alert, rules) {
      if (alert.status !== "firing") update(alert);
      else for (const rule of rules) open(alert, rule);
    },

    advance(to, most) {
      for (let left = most; left > 0; left--) {
        const [incident, limit] = [incidentsDue.first(), limitsDue.first()];
        if (incident && incident.at <= to && !(limit && limit.at < incident.at)) {
          incidentsDue.delete(incident.id);
          settleIncident(incident.id, incident.at);
        } else if (limit && limit.at <= to) {
          limitsDue.delete(limit.id);
          sendDigest(limit.id, limit.at);
        } else return true;
      }
      return false;
    },

    counts: () => counts,
  };
}
