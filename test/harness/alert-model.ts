/**
 * A simple model of the incidents in docs/reference/alerts.md, without stored due dates, documents or transactions. Its
 * time advances by whole ticks.
 */

export const TICK_MS = 10_000;
const FIRST_INTERVAL_MS = 60_000;
const RISE_INTERVAL_MS = 60_000;
const ranks = ["info", "warning", "critical"] as const;
export type ModelSeverity = (typeof ranks)[number];

export interface ModelRule {
  readonly isGrouped: boolean;
  readonly waitMs: number;
  readonly intervalMs: number;
  readonly repeatMs: number;
  /** Addresses, ids of alert targets (both are notified of the same), and schedules such as `on call: primary`. */
  readonly recipients: readonly string[];
  readonly steps: readonly { readonly afterMs: number; readonly recipients: readonly string[] }[];
  readonly rounds: number;
  /** Relative to the start of the world: non-critical mail waits; undefined: never. */
  readonly quiet?: { readonly fromMs: number; readonly toMs: number } | undefined;
}

export interface ModelNotice {
  readonly atMs: number;
  readonly reason: string;
  readonly to: readonly string[];
  /** Alerts that the notice is about. Not compared for the end of an incident. */
  readonly things: readonly string[];
}

/** Begin of the name of an on-call schedule among recipients. */
export const ON_CALL = "on call: ";

export const modelSchedules = ["on call: primary", "on call: nights"] as const;
export type ModelSchedule = (typeof modelSchedules)[number];
const isSchedule = (one: string): one is ModelSchedule => one.startsWith(ON_CALL);

/** Participants of the schedule `primary`, who take over every three hours. The rules name the last one too. */
export const PRIMARY = ["ada@example.com", "bob@example.com", "ops@example.com"] as const;
const PRIMARY_SHIFT_MS = 3 * 3_600_000;
/** On call each day from 22:00 to 06:00. */
export const NIGHTS = {
  person: "eve@example.com",
  fromHour: 22,
  toHour: 6,
  fallback: "lead@example.com",
} as const;

/** Person on call without an override. The model begins at noon. */
function rotated(schedule: ModelSchedule, atMs: number): string {
  if (schedule === "on call: primary")
    return PRIMARY[Math.floor(atMs / PRIMARY_SHIFT_MS) % PRIMARY.length] ?? PRIMARY[0];
  const hour = (12 + Math.floor(atMs / 3_600_000)) % 24;
  return hour >= NIGHTS.fromHour || hour < NIGHTS.toHour ? NIGHTS.person : NIGHTS.fallback;
}

interface Override {
  readonly schedule: ModelSchedule;
  readonly person: string;
  readonly fromMs: number;
  readonly toMs: number;
}

interface Thing {
  severity: ModelSeverity;
  /** The severity that was last included in a notice; undefined: none was. */
  told: ModelSeverity | undefined;
  isTold: boolean;
}

interface ModelIncident {
  readonly rule: ModelRule;
  /** Alerts of one group share it. */
  readonly group: string;
  readonly openedMs: number;
  readonly things: Map<string, Thing>;
  /** Alerts that were active when a member resolved the incident. */
  readonly resolved: Map<string, Thing>;
  /** Only a member ends an incident that was reopened without an active alert. */
  isManual: boolean;
  /** Alert that fired last. */
  latest: string;
  snoozedToMs: number | undefined;
  /** A notice of all alerts, after a snooze or a reopening. */
  remind: { readonly reason: "snooze_ended" | "reopened"; readonly atMs: number } | undefined;
  readonly notices: ModelNotice[];
  /** Notified recipients, each with the schedules that named it. None: the rule named it. */
  readonly told: Map<string, readonly ModelSchedule[]>;
  severity: ModelSeverity;
  state: "open" | "acknowledged" | "resolved";
  risenMs: number | undefined;
  lastMs: number | undefined;
  step: { round: number; step: number; atMs: number } | undefined;
  /** News may wait while repeats and escalation continue, and vice versa. */
  heldMs: { news: number; rest: number };
  /** A notice is committed, but its process ended before sending it. */
  isPending: boolean;
}

interface Silence {
  readonly thing: string;
  readonly fromMs: number;
  toMs: number;
  /** Missing: from start to end. */
  readonly weekly?: ModelWindow;
}

/** A window of the week, in minutes of the day. Days begin with 1 for Monday; none: all days. */
export interface ModelWindow {
  readonly days: readonly number[];
  readonly from: number;
  /** On the next day if it is not later than `from`. */
  readonly to: number;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** The model begins on a Tuesday at noon. */
const BEGIN_DAY = 2;
const BEGIN_MINUTE = 12 * 60;

/** Whether a time is in a window that began on its day or on the day before. */
function isInWindow({ days, from, to }: ModelWindow, atMs: number): boolean {
  const minutes = BEGIN_MINUTE + Math.floor(atMs / MINUTE_MS);
  const minute = minutes % DAY_MINUTES;
  const day = ((BEGIN_DAY - 1 + Math.floor(minutes / DAY_MINUTES)) % 7) + 1;
  const begins = (one: number) => days.length === 0 || days.includes(one);
  if (from < to) return begins(day) && from <= minute && minute < to;
  return (begins(day) && from <= minute) || (begins(day === 1 ? 7 : day - 1) && minute < to);
}

/** End of the window at this time, or of the silence; 0: the silence is not in effect. */
function effectiveUntil({ fromMs, toMs, weekly }: Silence, atMs: number): number {
  if (atMs < fromMs || toMs <= atMs) return 0;
  if (!weekly) return toMs;
  if (!isInWindow(weekly, atMs)) return 0;
  let endMs = (Math.floor(atMs / MINUTE_MS) + 1) * MINUTE_MS;
  while (endMs < toMs && isInWindow(weekly, endMs)) endMs += MINUTE_MS;
  return Math.min(endMs, toMs);
}

const isNews = (reason: string) => ["first", "new", "severity"].includes(reason);

export function createAlertModel(first: ModelRule) {
  let rule = first;
  let nowMs = 0;
  const incidents: ModelIncident[] = [];
  /** Alerts that are active at their source. */
  const firing = new Set<string>();
  const silences: Silence[] = [];
  const overrides: Override[] = [];

  const onCallNow = (schedule: ModelSchedule) =>
    overrides.findLast((one) => one.schedule === schedule && one.fromMs <= nowMs && nowMs < one.toMs)
      ?.person ?? rotated(schedule, nowMs);

  /** Recipients of a notice: those that the rule names, those that it named before, and who is on call now. */
  function addressed(incident: ModelIncident, reason: string): Map<string, readonly ModelSchedule[]> {
    const { told, step, rule: own } = incident;
    if (reason === "resolved") return told;
    const isStep = reason === "escalation";
    const receivers = isStep ? (own.steps[step?.step ?? -1]?.recipients ?? []) : own.recipients;
    const named = receivers.filter((one) => !isSchedule(one));
    const schedules = new Set(receivers.filter(isSchedule));
    if (!isStep)
      for (const [one, by] of told) {
        if (by.length === 0) named.push(one);
        for (const schedule of by) schedules.add(schedule);
      }
    const to = new Map<string, readonly ModelSchedule[]>(named.map((one) => [one, []]));
    for (const schedule of schedules) {
      const person = onCallNow(schedule);
      const by = to.get(person);
      if (by?.length !== 0) to.set(person, [...(by ?? []), schedule]);
    }
    return to;
  }

  const silencedUntil = (thing: string) =>
    Math.max(0, ...silences.filter((one) => one.thing === thing).map((one) => effectiveUntil(one, nowMs)));

  function dues(incident: ModelIncident): { readonly reason: string; readonly atMs: number }[] {
    const { rule: own, things, state, lastMs, heldMs, remind, snoozedToMs } = incident;
    if (snoozedToMs !== undefined) return [{ reason: "snoozed", atMs: snoozedToMs }];
    const found: { reason: string; atMs: number }[] = [];
    const add = (reason: string, fromMs: number) => {
      const atMs = Math.max(fromMs, remind?.atMs ?? 0, isNews(reason) ? heldMs.news : heldMs.rest);
      found.push({ reason, atMs });
    };
    // It is about all alerts, so it precedes the others.
    if (remind) add(remind.reason, remind.atMs);
    // A critical alert that was not notified is news, acknowledged or not.
    const hasNews = [...things.values()].some(
      ({ isTold, severity }) => !isTold && (state === "open" || severity === "critical"),
    );
    if (lastMs === undefined) {
      if (hasNews) add("first", incident.openedMs + own.waitMs);
      return found;
    }
    const intervalMs =
      incident.notices.length === 1 ? Math.min(FIRST_INTERVAL_MS, own.intervalMs) : own.intervalMs;
    if (incident.risenMs !== undefined)
      add("severity", hasNews ? Math.min(incident.risenMs, lastMs + intervalMs) : incident.risenMs);
    else if (hasNews) add("new", lastMs + intervalMs);
    if (state !== "open") return found;
    if (incident.step) add("escalation", incident.step.atMs);
    if (own.repeatMs > 0) add("repeat", lastMs + own.repeatMs);
    return found;
  }

  function settle(incident: ModelIncident, isSent: boolean): void {
    if (isSent) incident.isPending = false;
    for (;;) {
      if (incident.isPending) return;
      const before = incident.notices.length;
      if (incident.state === "resolved") tellEnd(incident);
      else {
        const [due] = dues(incident).sort((a, b) => a.atMs - b.atMs);
        if (!due || due.atMs > nowMs) return;
        if (due.reason === "snoozed") wake(incident);
        else tell(incident, due.reason);
      }
      const isTold = incident.notices.length > before;
      if (isTold && !isSent) incident.isPending = true;
      if (incident.state === "resolved") return;
    }
  }

  function wake(incident: ModelIncident): void {
    const { snoozedToMs: atMs = nowMs, lastMs } = incident;
    incident.snoozedToMs = undefined;
    incident.state = "open";
    if (lastMs !== undefined) incident.remind = { reason: "snooze_ended", atMs };
  }

  function beginSteps(incident: ModelIncident): void {
    const { rule: own, state, lastMs, snoozedToMs } = incident;
    const [first] = own.steps;
    if (first && state === "open" && lastMs !== undefined && snoozedToMs === undefined)
      incident.step = { round: 1, step: 0, atMs: nowMs + first.afterMs };
  }

  function resolve(incident: ModelIncident): void {
    incident.state = "resolved";
    incident.step = undefined;
    incident.risenMs = undefined;
    incident.heldMs = { news: 0, rest: 0 };
    incident.snoozedToMs = undefined;
    incident.remind = undefined;
  }

  function tellEnd(incident: ModelIncident): void {
    const isOver = incident.notices.at(-1)?.reason === "resolved";
    if (incident.notices.length === 0 || isOver) return;
    const to = [...addressed(incident, "resolved").keys()].sort();
    incident.notices.push({ atMs: nowMs, reason: "resolved", to, things: [] });
    incident.lastMs = nowMs;
  }

  function tell(incident: ModelIncident, reason: string): void {
    const { rule: own, things } = incident;
    const about = [...things].filter(([, { isTold }]) => !isNews(reason) || !isTold);
    const free = about.filter(([name]) => silencedUntil(name) === 0);
    // The escalated alerts are resolved, so there is no higher severity left to notify.
    if (about.length === 0 && isNews(reason)) {
      incident.risenMs = undefined;
      return;
    }
    const kind = isNews(reason) ? "news" : "rest";
    const isEmpty = incident.isManual && things.size === 0;
    if (free.length === 0 && !isEmpty) {
      incident.heldMs[kind] = Math.min(...about.map(([name]) => silencedUntil(name)));
      return;
    }
    const isCritical = isEmpty
      ? incident.severity === "critical"
      : free.some(([, { severity }]) => severity === "critical");
    const { quiet } = own;
    if (quiet && !isCritical && quiet.fromMs <= nowMs && nowMs < quiet.toMs) {
      incident.heldMs[kind] = quiet.toMs;
      return;
    }
    const isRiseNotified = free.some(
      ([, { isTold, severity }]) => !isTold && ranks.indexOf(severity) >= ranks.indexOf(incident.severity),
    );
    if (isRiseNotified) incident.risenMs = undefined;
    for (const [, thing] of free) {
      thing.isTold = true;
      thing.told = thing.severity;
    }
    const to = addressed(incident, reason);
    for (const [one, by] of to) {
      const known = incident.told.get(one);
      // A recipient that the rule named stays one after a shift.
      const isNamed = by.length === 0 || known?.length === 0;
      incident.told.set(one, isNamed ? [] : [...new Set([...(known ?? []), ...by])]);
    }
    incident.notices.push({
      atMs: nowMs,
      reason,
      to: [...to.keys()].sort(),
      things: isEmpty ? [incident.latest] : free.map(([name]) => name).sort(),
    });
    incident.lastMs = nowMs;
    if (incident.remind?.reason === reason) incident.remind = undefined;
    incident.heldMs[kind] = 0;
    escalate(incident, reason);
  }

  function escalate(incident: ModelIncident, reason: string): void {
    const { steps, rounds } = incident.rule;
    const { step } = incident;
    const at = (index: number) => nowMs + (steps[index]?.afterMs ?? 0);
    if (!step) {
      const begins = ["first", "severity", "snooze_ended", "reopened"].includes(reason);
      if (begins && steps.length > 0 && incident.state === "open")
        incident.step = { round: 1, step: 0, atMs: at(0) };
      return;
    }
    if (reason !== "escalation") return;
    if (step.step + 1 < steps.length)
      incident.step = { ...step, step: step.step + 1, atMs: at(step.step + 1) };
    else if (step.round < rounds) incident.step = { round: step.round + 1, step: 0, atMs: at(0) };
    else incident.step = undefined;
  }

  const settleAll = () => {
    for (const incident of incidents) settle(incident, true);
  };
  const groupOf = (thing: string) => (rule.isGrouped ? "" : thing);
  const openOf = (wanted: string) =>
    incidents.find(({ state, group }) => state !== "resolved" && group === wanted);

  return {
    incidents,

    fire(thing: string, severity: ModelSeverity, isSent: boolean): void {
      firing.add(thing);
      let incident = openOf(groupOf(thing));
      if (!incident) {
        incident = {
          rule,
          group: groupOf(thing),
          openedMs: nowMs,
          things: new Map(),
          resolved: new Map(),
          isManual: false,
          latest: thing,
          snoozedToMs: undefined,
          remind: undefined,
          notices: [],
          told: new Map(),
          severity,
          state: "open",
          risenMs: undefined,
          lastMs: undefined,
          step: undefined,
          heldMs: { news: 0, rest: 0 },
          isPending: false,
        };
        incidents.push(incident);
      }
      incident.latest = thing;
      const known = incident.things.get(thing);
      const hasRisen = ranks.indexOf(severity) > ranks.indexOf(incident.severity);
      const notified = known ? [known.told, known.isTold ? undefined : known.severity] : [];
      const isWorse = notified.every((one) => !one || ranks.indexOf(severity) > ranks.indexOf(one));
      const isNew = !known || hasRisen || isWorse;
      const endsSnooze = incident.snoozedToMs !== undefined && isNew && severity === "critical";
      const isUrgent = hasRisen || (known !== undefined && isWorse && severity === "critical") || endsSnooze;
      incident.things.set(thing, { severity, told: known?.told, isTold: !isNew && known.isTold });
      if (isNew && silencedUntil(thing) === 0) incident.heldMs.news = 0;
      if (isUrgent && silencedUntil(thing) === 0) incident.heldMs.rest = 0;
      if (isUrgent) {
        if (hasRisen) incident.severity = severity;
        incident.state = "open";
        incident.snoozedToMs = undefined;
        const { lastMs } = incident;
        const atMs = hasRisen ? nowMs : Math.max(nowMs, (lastMs ?? 0) + RISE_INTERVAL_MS);
        if (lastMs !== undefined) incident.risenMs = Math.min(atMs, incident.risenMs ?? atMs);
      }
      settle(incident, false);
      if (isSent) settleAll();
    },

    end(thing: string): void {
      firing.delete(thing);
      for (const incident of incidents) {
        if (incident.state === "resolved" || !incident.things.delete(thing)) continue;
        if (incident.things.size > 0 || incident.isManual) continue;
        resolve(incident);
        incident.resolved.clear();
      }
      settleAll();
    },

    acknowledge(): void {
      for (const incident of incidents) {
        if (incident.state !== "open") continue;
        incident.state = "acknowledged";
        incident.step = undefined;
        incident.risenMs = undefined;
        incident.snoozedToMs = undefined;
        incident.remind = undefined;
      }
      settleAll();
    },

    unacknowledge(): void {
      for (const incident of incidents) {
        if (incident.state !== "acknowledged") continue;
        incident.state = "open";
        beginSteps(incident);
      }
      settleAll();
    },

    snooze(forMs: number): void {
      for (const incident of incidents) {
        if (incident.state === "resolved") continue;
        incident.step = undefined;
        incident.risenMs = undefined;
        incident.remind = undefined;
        incident.snoozedToMs = nowMs + forMs;
      }
      settleAll();
    },

    endSnooze(): void {
      for (const incident of incidents) {
        if (incident.snoozedToMs === undefined) continue;
        incident.snoozedToMs = undefined;
        beginSteps(incident);
      }
      settleAll();
    },

    resolveAll(): void {
      for (const incident of incidents) {
        if (incident.state === "resolved") continue;
        incident.resolved.clear();
        for (const [name, thing] of incident.things) incident.resolved.set(name, thing);
        resolve(incident);
        incident.things.clear();
      }
      settleAll();
    },

    /** Opens the last incident again, with the alerts that are still active at their source. */
    reopen(): void {
      const incident = incidents.at(-1);
      if (incident?.state === "resolved" && !openOf(incident.group)) {
        incident.state = "open";
        const { lastMs } = incident;
        for (const [name, { severity }] of incident.resolved)
          if (firing.has(name))
            incident.things.set(name, {
              severity,
              told: lastMs === undefined ? undefined : severity,
              isTold: lastMs !== undefined,
            });
        incident.isManual ||= incident.things.size === 0;
        if (lastMs !== undefined) incident.remind = { reason: "reopened", atMs: nowMs };
        settle(incident, true);
      }
      settleAll();
    },

    silence(thing: string, forMs: number): void {
      silences.push({ thing, fromMs: nowMs, toMs: nowMs + forMs });
    },

    silenceWeekly(thing: string, weekly: ModelWindow, forMs: number): void {
      silences.push({ thing, fromMs: nowMs, toMs: nowMs + forMs, weekly });
    },

    /** All silences end: what they hold back is notified now. */
    endSilences(): void {
      settleAll();
      for (const silence of silences) silence.toMs = Math.min(silence.toMs, nowMs);
      for (const { heldMs } of incidents) {
        heldMs.news = Math.min(heldMs.news, nowMs);
        heldMs.rest = Math.min(heldMs.rest, nowMs);
      }
      settleAll();
    },

    /** A person replaces the one on call, from now on. */
    override(schedule: ModelSchedule, person: string, forMs: number): void {
      overrides.push({ schedule, person, fromMs: nowMs, toMs: nowMs + forMs });
    },

    edit(changes: Partial<ModelRule>): void {
      rule = { ...rule, ...changes };
    },

    /** Performs everything at its due time; earlier due work is performed at once. */
    pass(ms: number): void {
      const endMs = nowMs + ms;
      settleAll();
      for (; nowMs < endMs; ) {
        nowMs += TICK_MS;
        settleAll();
      }
    },

    /** Time passes while no process runs. */
    sleep(ms: number): void {
      nowMs += ms;
    },
  };
}
