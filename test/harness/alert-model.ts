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

interface Thing {
  severity: ModelSeverity;
  /** The severity that was last included in a notice; undefined: none was. */
  told: ModelSeverity | undefined;
  isTold: boolean;
}

interface ModelIncident {
  readonly rule: ModelRule;
  readonly openedMs: number;
  readonly things: Map<string, Thing>;
  readonly notices: ModelNotice[];
  readonly told: Set<string>;
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
  readonly toMs: number;
}

const isNews = (reason: string) => ["first", "new", "severity"].includes(reason);

export function createAlertModel(first: ModelRule) {
  let rule = first;
  let nowMs = 0;
  const incidents: ModelIncident[] = [];
  const silences: Silence[] = [];

  const silencedUntil = (thing: string) =>
    Math.max(
      0,
      ...silences
        .filter((one) => one.thing === thing && one.fromMs <= nowMs && nowMs < one.toMs)
        .map(({ toMs }) => toMs),
    );

  function dues(incident: ModelIncident): { readonly reason: string; readonly atMs: number }[] {
    const { rule: own, things, state, lastMs, heldMs } = incident;
    const found: { reason: string; atMs: number }[] = [];
    const add = (reason: string, atMs: number) =>
      found.push({ reason, atMs: Math.max(atMs, isNews(reason) ? heldMs.news : heldMs.rest) });
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
        tell(incident, due.reason);
      }
      const isTold = incident.notices.length > before;
      if (isTold && !isSent) incident.isPending = true;
      if (incident.state === "resolved") return;
    }
  }

  function tellEnd(incident: ModelIncident): void {
    const isOver = incident.notices.at(-1)?.reason === "resolved";
    if (incident.notices.length === 0 || isOver) return;
    incident.notices.push({ atMs: nowMs, reason: "resolved", to: [...incident.told].sort(), things: [] });
  }

  function tell(incident: ModelIncident, reason: string): void {
    const { rule: own, things } = incident;
    const about = [...things].filter(([, { isTold }]) => !isNews(reason) || !isTold);
    const free = about.filter(([name]) => silencedUntil(name) === 0);
    // The escalated alerts are resolved, so there is no higher severity left to notify.
    if (about.length === 0) {
      incident.risenMs = undefined;
      return;
    }
    const kind = isNews(reason) ? "news" : "rest";
    if (free.length === 0) {
      incident.heldMs[kind] = Math.min(...about.map(([name]) => silencedUntil(name)));
      return;
    }
    const isCritical = free.some(([, { severity }]) => severity === "critical");
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
    const step = own.steps[incident.step?.step ?? -1];
    const to = reason === "escalation" ? (step?.recipients ?? []) : [...own.recipients, ...incident.told];
    for (const one of to) incident.told.add(one);
    incident.notices.push({
      atMs: nowMs,
      reason,
      to: [...new Set(to)].sort(),
      things: free.map(([name]) => name).sort(),
    });
    incident.lastMs = nowMs;
    incident.heldMs[kind] = 0;
    escalate(incident, reason);
  }

  function escalate(incident: ModelIncident, reason: string): void {
    const { steps, rounds } = incident.rule;
    const { step } = incident;
    const at = (index: number) => nowMs + (steps[index]?.afterMs ?? 0);
    if (!step) {
      const begins = steps.length > 0 && (reason === "first" || reason === "severity");
      if (begins) incident.step = { round: 1, step: 0, atMs: at(0) };
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
  const openOf = (thing: string) =>
    incidents.find(
      ({ state, rule: own, things }) => state !== "resolved" && (own.isGrouped || things.has(thing)),
    );

  return {
    incidents,

    fire(thing: string, severity: ModelSeverity, isSent: boolean): void {
      let incident = openOf(thing);
      if (!incident) {
        incident = {
          rule,
          openedMs: nowMs,
          things: new Map(),
          notices: [],
          told: new Set(),
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
      const known = incident.things.get(thing);
      const hasRisen = ranks.indexOf(severity) > ranks.indexOf(incident.severity);
      const notified = known ? [known.told, known.isTold ? undefined : known.severity] : [];
      const isWorse = notified.every((one) => !one || ranks.indexOf(severity) > ranks.indexOf(one));
      const isNew = !known || hasRisen || isWorse;
      const isUrgent = hasRisen || (known !== undefined && isWorse && severity === "critical");
      incident.things.set(thing, { severity, told: known?.told, isTold: !isNew && known.isTold });
      if (isNew && silencedUntil(thing) === 0) incident.heldMs.news = 0;
      if (isUrgent && silencedUntil(thing) === 0) incident.heldMs.rest = 0;
      if (isUrgent) {
        if (hasRisen) incident.severity = severity;
        incident.state = "open";
        const { lastMs } = incident;
        const atMs = hasRisen ? nowMs : Math.max(nowMs, (lastMs ?? 0) + RISE_INTERVAL_MS);
        if (lastMs !== undefined) incident.risenMs = Math.min(atMs, incident.risenMs ?? atMs);
      }
      settle(incident, false);
      if (isSent) settleAll();
    },

    end(thing: string): void {
      for (const incident of incidents) {
        if (incident.state === "resolved" || !incident.things.delete(thing)) continue;
        if (incident.things.size === 0) incident.state = "resolved";
      }
      settleAll();
    },

    acknowledge(): void {
      for (const incident of incidents) {
        if (incident.state !== "open") continue;
        incident.state = "acknowledged";
        incident.step = undefined;
        incident.risenMs = undefined;
      }
      settleAll();
    },

    resolveAll(): void {
      for (const incident of incidents) {
        incident.state = "resolved";
        incident.things.clear();
      }
      settleAll();
    },

    silence(thing: string, forMs: number): void {
      silences.push({ thing, fromMs: nowMs, toMs: nowMs + forMs });
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
