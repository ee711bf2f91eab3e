import type { Alert } from "./alert.ts";
import { compileMatchers } from "./condition.ts";
import { createDecide, type DecidingRule, type Decision } from "./decide.ts";

export interface NamedRule extends DecidingRule {
  readonly name: string;
}

/**
 * Difference between the rules that matched an alert at its arrival and those that match it now.
 *
 * - `unchanged`: the same rules
 * - `newly_matched`: no rule matched it
 * - `no_longer_matched`: no rule matches it
 * - `moved`: other rules
 */
export type DecisionChange = "unchanged" | "newly_matched" | "no_longer_matched" | "moved";

export interface ComparedAlert<R> {
  readonly change: DecisionChange;
  readonly decision: Decision<R>;
  /** Names of the rules that match it now, in order, including the one that drops it. */
  readonly matched: readonly string[];
}

/** Numbers of alerts of one rule. */
export interface RuleTally {
  readonly rule: string;
  /** Alerts that it matched at their arrival. */
  readonly before: number;
  readonly after: number;
  readonly newlyMatched: number;
  readonly noLongerMatched: number;
  /** Alerts that meet its conditions and that another rule takes, by the name of that rule. */
  readonly takenBy: ReadonlyMap<string, number>;
}

export interface DecisionComparison<R> {
  /** @param before names of the rules that matched the alert at its arrival */
  compare(alert: Alert, before: readonly string[]): ComparedAlert<R>;
  /** Rules that match an alert, or matched one. */
  tallies(): RuleTally[];
}

interface Tally {
  before: number;
  after: number;
  newlyMatched: number;
  noLongerMatched: number;
  readonly takenBy: Map<string, number>;
}

/**
 * Compares decisions of rules with earlier ones.
 * @param subject name of the rule for which all alerts that another rule takes are counted. For other rules, only those count
 *   that they matched at their arrival.
 */
export function createDecisionComparison<R extends NamedRule>(
  rules: readonly R[],
  subject: string,
): DecisionComparison<R> {
  const decide = createDecide(rules);
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  const compiled = new Map<string, (alert: Alert) => boolean>();
  const tallies = new Map<string, Tally>();

  function tallyOf(name: string): Tally {
    const known = tallies.get(name);
    if (known) return known;
    const created: Tally = { before: 0, after: 0, newlyMatched: 0, noLongerMatched: 0, takenBy: new Map() };
    tallies.set(name, created);
    return created;
  }

  if (subject !== "") tallyOf(subject);

  function meets({ name, enabled, matchers }: R, alert: Alert): boolean {
    const matches = compiled.get(name) ?? compileMatchers(matchers);
    compiled.set(name, matches);
    return enabled && matches(alert);
  }

  /** Counts an alert that another rule takes from a rule. */
  function countTaken(name: string, alert: Alert, { rules: taking, droppedBy }: Decision<R>): void {
    const rule = byName.get(name);
    if (!rule || !meets(rule, alert)) return;
    const first = rule.onlyUnmatched ? taking[0] : undefined;
    const by = (first ?? droppedBy ?? taking.at(-1))?.name;
    if (by === undefined) return;
    const { takenBy } = tallyOf(name);
    takenBy.set(by, (takenBy.get(by) ?? 0) + 1);
  }

  return {
    compare(alert, before) {
      const decision = decide(alert);
      const { droppedBy } = decision;
      const matched = [...decision.rules, ...(droppedBy ? [droppedBy] : [])].map(({ name }) => name);
      const [then, now] = [new Set(before), new Set(matched)];
      for (const name of then) {
        const tally = tallyOf(name);
        tally.before++;
        if (!now.has(name)) tally.noLongerMatched++;
      }
      for (const name of now) {
        const tally = tallyOf(name);
        tally.after++;
        if (!then.has(name)) tally.newlyMatched++;
      }
      const missing = new Set([...then, subject].filter((name) => !now.has(name)));
      for (const name of missing) countTaken(name, alert, decision);
      return { change: changeOf(then, now), decision, matched };
    },

    tallies: () => [...tallies].map(([rule, tally]) => ({ rule, ...tally })),
  };
}

function changeOf(then: ReadonlySet<string>, now: ReadonlySet<string>): DecisionChange {
  if (then.size === now.size && [...then].every((name) => now.has(name))) return "unchanged";
  if (then.size === 0) return "newly_matched";
  return now.size === 0 ? "no_longer_matched" : "moved";
}
