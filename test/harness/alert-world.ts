import type { Alert } from "../../src/alerts/alert.ts";
import { dueOf } from "../../src/alerts/due.ts";
import { fingerprintOf, groupKeyOf } from "../../src/alerts/group-key.ts";
import type { Firing, Incident, Notice } from "../../src/alerts/incident.ts";
import { acknowledge, clear, fire, resolve } from "../../src/alerts/incident-changes.ts";
import type { HistoryEntry } from "../../src/alerts/incident-history.ts";
import { endSnooze, snooze, unacknowledge } from "../../src/alerts/incident-work.ts";
import { createMutes, type Inhibition, type InhibitionSource, type Silence } from "../../src/alerts/mutes.ts";
import type { Digest, NotificationLimit } from "../../src/alerts/notification-limit.ts";
import { settleLimit, withDue } from "../../src/alerts/notification-limits.ts";
import type { QuietHours } from "../../src/alerts/quiet-hours.ts";
import { activeAmong, isOver, type Report, reopen } from "../../src/alerts/reopen.ts";
import { DEFAULT_NOTIFY, type NotifySettings } from "../../src/alerts/rule.ts";
import { settle } from "../../src/alerts/settle.ts";
import type { IncidentNews } from "../../src/alerts/unit-changes.ts";
import { createUnitOfWork, notifiedFiring, type UnitOfWork } from "../../src/alerts/unit-of-work.ts";

/** A mail that left, or a request to an alert target. */
export interface SentMail {
  /** Milliseconds since the world began. */
  readonly atMs: number;
  /** Address, or id of a target. */
  readonly to: string;
  readonly incident: Incident;
  readonly notice: Notice;
}

export const BEGIN_MS = Date.parse("2030-01-01T12:00:00.000Z");
const ACCOUNT = "acc_1";
const YEAR_MS = 366 * 86_400_000;

/**
 * An account with one rule. The test controls its time, and its process may end between any two steps.
 * @param onCallAt addresses that an on-call schedule notifies at a time. Missing: the last who took over
 */
export function createAlertWorld(
  settings: Partial<NotifySettings> = {},
  onCallAt?: (schedule: string, at: Date) => readonly string[],
) {
  let notify: NotifySettings = { ...DEFAULT_NOTIFY, recipients: ["ops@example.com"], ...settings };
  let version = 1;
  const versions = new Map([[version, notify]]);
  /** Addresses on call, by on-call schedule. */
  const onCall = new Map<string, readonly string[]>();
  let nowMs = 0;
  let count = 0;
  let silences: Silence[] = [];
  let inhibitions: Inhibition[] = [];
  const incidents = new Map<string, Incident>();
  const firings = new Map<string, Firing>();
  const limits = new Map<string, NotificationLimit>();
  const sources = new Map<string, InhibitionSource>();
  const mails: SentMail[] = [];
  const digests: (Digest & { readonly to: string })[] = [];
  const news: IncidentNews[] = [];
  const history: HistoryEntry[] = [];
  /** All alerts, newest first, with the incidents that took them. */
  const reports: (Report & { readonly incidentIds: readonly string[] })[] = [];
  const now = () => new Date(BEGIN_MS + nowMs);

  const settling = () => ({
    now: now(),
    mutes: createMutes(silences, inhibitions),
    keptMs: YEAR_MS,
    notifyOf: ({ ruleVersion }: Pick<Incident, "ruleVersion">) => versions.get(ruleVersion) ?? notify,
    onCallOf: (_rule: unknown, schedule: string) =>
      onCallAt ? onCallAt(schedule, now()) : (onCall.get(schedule) ?? []),
    sendUntil: new Date(BEGIN_MS + nowMs + 15_000),
  });

  /** Runs one transaction of a process, which sees only stored state. */
  function inOne<T>(work: (unit: UnitOfWork) => T): T {
    const unit = createUnitOfWork(ACCOUNT);
    unit.add({
      incidents: [...incidents.values()],
      firings: [...firings.values()],
      complete: [...incidents.keys()],
      ceilings: [...limits.values()],
      sources: [...sources.values()],
    });
    const result = work(unit);
    const changes = unit.changes();
    for (const { after } of changes.incidents) incidents.set(after._id, after);
    for (const id of changes.removedFirings) firings.delete(id);
    for (const one of changes.firings) firings.set(one._id, one);
    for (const id of changes.notifiedFirings.flatMap(({ ids }) => ids)) {
      const told = firings.get(id);
      if (told) firings.set(id, notifiedFiring(told));
    }
    for (const { _id, incidentId } of firings.values())
      if (changes.emptied.includes(incidentId)) firings.delete(_id);
    for (const one of changes.ceilings) limits.set(one._id, one);
    for (const one of sources.values())
      if (changes.endedSources.includes(one.fingerprint)) sources.delete(one._id);
    const kept = new Map(changes.keptSources.map(({ fingerprint, ids }) => [fingerprint, ids]));
    for (const { _id, fingerprint } of sources.values())
      if (kept.get(fingerprint)?.includes(_id) === false) {
        sources.delete(_id);
        wakeInhibited();
      }
    const active = new Set([...firings.values()].map(({ fingerprint }) => fingerprint));
    for (const one of sources.values())
      if (changes.releasedSources.includes(one.fingerprint) && !active.has(one.fingerprint)) {
        sources.delete(one._id);
        wakeInhibited();
      }
    for (const one of changes.sources) sources.set(one._id, one);
    news.push(...changes.news);
    history.push(...changes.history);
    return result;
  }

  function wakeInhibited(): void {
    for (const incident of incidents.values())
      if (incident.heldBy === "inhibited")
        incidents.set(incident._id, { ...incident, heldUntil: now(), restHeldUntil: now() });
  }

  const settleAll = () =>
    inOne((unit) => {
      for (const id of unit.incidentIds()) settle(unit, id, settling());
      for (const id of limits.keys()) settleLimit(unit, id, notify, now());
    });

  /** Sends and closes the committed notice, and commits the next due one. */
  function send(): void {
    for (let isMore = true; isMore; ) {
      settleAll();
      isMore = false;
      for (const incident of incidents.values()) {
        const { pending, ...closed } = incident;
        if (!pending) continue;
        const posted = (pending.posts ?? []).map(({ targetId }) => targetId);
        for (const to of [...pending.mails.map(({ recipient }) => recipient), ...posted])
          mails.push({ atMs: nowMs, to, incident, notice: pending });
        incidents.set(incident._id, closed);
        isMore = true;
      }
      for (const limit of limits.values()) {
        const { pending, ...closed } = limit;
        if (!pending) continue;
        digests.push({ ...pending, to: limit.recipient });
        limits.set(limit._id, withDue(closed, notify));
        isMore = true;
      }
    }
  }

  function nextDueMs(): number {
    const incidentsDue = [...incidents.values()].map((one) =>
      dueOf(one, versions.get(one.ruleVersion) ?? notify),
    );
    const all = [...incidentsDue.map((due) => due?.at), ...[...limits.values()].map(({ dueAt }) => dueAt)];
    return Math.min(...all.flatMap((at) => (at ? [at.getTime() - BEGIN_MS] : [])));
  }

  const notifyOf = (incident: Incident) => settling().notifyOf(incident);

  const incomingOf = (given: Partial<Alert>) => {
    const alert: Alert = {
      eventType: "disk.full",
      severity: "warning",
      source: "node",
      message: "full",
      context: {},
      ...given,
    };
    const fingerprint = fingerprintOf({ alert });
    return { id: `alr_${count++}`, accountId: ACCOUNT, at: now(), alert, links: [], fingerprint };
  };

  const ruleNow = () => ({ id: "rul_1", version, name: "pager", notify });

  return {
    mails,
    digests,
    news,
    history,
    incidents: () => [...incidents.values()],
    open: () => [...incidents.values()].filter(({ open }) => open),
    now,

    /** An alert fires. Its mail is sent if it is due. */
    fire(given: Partial<Alert> = {}, isSent = true): void {
      inOne((unit) => {
        const incoming = incomingOf(given);
        const { mutes } = settling();
        if (mutes.inhibits) unit.putSources(incoming.fingerprint, mutes.sourcesOf(incoming, true, now()));
        const isMuted = mutes.muteOf(incoming, unit.sources, now()) !== undefined;
        const former = unit.formerOf("rul_1", groupKeyOf(incoming, notify.groupBy));
        const { incidentId } = fire(unit, {
          rule: ruleNow(),
          incoming,
          isMuted,
          newId: `inc_${String(count++).padStart(26, "0")}`,
          former,
        });
        reports.unshift({ ...incoming, status: "firing", isOutdated: false, incidentIds: [incidentId] });
        settle(unit, incidentId, settling());
      });
      if (isSent) send();
    },

    /** An alert is resolved. */
    end(given: Partial<Alert> = {}): void {
      inOne((unit) => {
        const incoming = incomingOf(given);
        const { fingerprint } = incoming;
        const active = unit.firingsWith(fingerprint);
        unit.endSources(fingerprint);
        for (const firing of active) clear(unit, firing, { at: now(), by: "its source" });
        const incidentIds = active.map(({ incidentId }) => incidentId);
        reports.unshift({ ...incoming, status: "resolved", isOutdated: false, incidentIds });
      });
      wakeInhibited();
      send();
    },

    acknowledge(): void {
      inOne((unit) => {
        for (const { _id } of incidents.values()) acknowledge(unit, _id, now(), "ada");
      });
      send();
    },

    resolveAll(): void {
      inOne((unit) => {
        for (const { _id } of incidents.values()) resolve(unit, _id, now(), "ada");
      });
      send();
    },

    unacknowledge(): void {
      inOne((unit) => {
        for (const one of incidents.values())
          unacknowledge(unit, one._id, { at: now(), by: "ada", notify: notifyOf(one) });
      });
      send();
    },

    snooze(forMs: number): void {
      inOne((unit) => {
        const until = new Date(BEGIN_MS + nowMs + forMs);
        for (const { _id } of incidents.values()) snooze(unit, _id, { at: now(), by: "ada", until });
      });
      send();
    },

    endSnooze(): void {
      inOne((unit) => {
        for (const one of incidents.values())
          endSnooze(unit, one._id, { at: now(), by: "ada", notify: notifyOf(one) });
      });
      send();
    },

    /** Opens the last incident again, unless another one of its group is open. */
    reopen(): void {
      inOne((unit) => {
        const last = [...incidents.values()].at(-1);
        if (!last || last.open || unit.openOf(last.ruleId, last.groupKey)) return;
        const own = reports.filter(({ incidentIds }) => incidentIds.includes(last._id));
        const candidates = activeAmong(own);
        const active = candidates.filter(
          (one) =>
            !isOver(
              one,
              reports.find(({ fingerprint }) => fingerprint === one.report.fingerprint),
            ),
        );
        const over = candidates.length - active.length;
        reopen(unit, last._id, {
          at: now(),
          by: "ada",
          active,
          over,
          beyond: 0,
          isStopped: false,
          ...settling(),
        });
      });
      send();
    },

    /** Time passes, and due work is performed at its time. */
    pass(ms: number): void {
      const endMs = nowMs + ms;
      for (let steps = 0; nextDueMs() <= endMs; steps++) {
        if (steps > 10_000) throw new Error("something is due without an end");
        nowMs = Math.max(nowMs, nextDueMs());
        send();
      }
      nowMs = endMs;
    },

    /** Time passes while no process runs. */
    sleep(ms: number): void {
      nowMs += ms;
    },
    send,

    edit(changes: Partial<NotifySettings>): void {
      notify = { ...notify, ...changes };
      version++;
      versions.set(version, notify);
    },

    /** A shift of an on-call schedule begins. */
    handOver(schedule: string, ...addresses: string[]): void {
      onCall.set(schedule, addresses);
    },

    silence(forMs: number, matchers: Silence["matchers"] = { match: [], any: [] }): void {
      const endsAt = new Date(BEGIN_MS + nowMs + forMs);
      const silence = { _id: `sil_${count++}`, accountId: ACCOUNT, matchers, startsAt: now(), endsAt };
      silences = [
        ...silences,
        { ...silence, comment: "", createdBy: "", createdAt: now(), expireAt: endsAt },
      ];
    },

    silenceWeekly(weekly: QuietHours, forMs: number, matchers: Silence["matchers"]): void {
      const recursUntil = new Date(BEGIN_MS + nowMs + forMs);
      const named = {
        _id: `sil_${count++}`,
        accountId: ACCOUNT,
        comment: "",
        createdBy: "",
        createdAt: now(),
      };
      silences = [...silences, { ...named, matchers, startsAt: now(), weekly, recursUntil }];
    },

    /** All silences end, and the incidents that they may hold back are evaluated again, as the store does it. */
    endSilences(): void {
      send();
      silences = [];
      for (const incident of incidents.values())
        if (incident.heldBy && incident.open)
          incidents.set(incident._id, { ...incident, heldUntil: now(), restHeldUntil: now() });
      send();
    },

    inhibit(source: Inhibition["source"], target: Inhibition["target"], equal: readonly string[]): void {
      const named = { _id: `inh_${count}`, accountId: ACCOUNT, name: `i${count++}` };
      inhibitions = [...inhibitions, { ...named, source, target, equal, createdAt: now(), updatedAt: now() }];
    },
  };
}
