import type { Alert } from "./alert.ts";
import { type Condition, compileCondition, type Verdict } from "./condition.ts";
import { createRuleIndex, type Indexed } from "./rule-index.ts";

/** Effect of a rule on the alerts that it takes. */
export type RuleEffect = "notify" | "drop";

/** Limit per alert, so that one alert does not delay those of others. */
export const MAX_RULES_TAKING = 100;

export interface DecidingRule extends Indexed {
  readonly id: string;
  /** Smaller values come first. Rules with the same order are sorted by id. */
  readonly order: number;
  readonly enabled: boolean;
  /** Rules after this one are not evaluated for its alerts. A rule that drops alerts always stops. */
  readonly stop: boolean;
  /** Takes only alerts that no earlier rule takes. */
  readonly onlyUnmatched?: boolean;
  readonly effect: RuleEffect;
}

export interface Decision<R> {
  /** Rules that notify, in order. */
  readonly rules: readonly R[];
  /** Rule that dropped the alert; undefined if none did. Earlier rules still apply. */
  readonly droppedBy: R | undefined;
}

/** Evaluates rules. Created once for a set of rules and called for each alert. */
export function createDecide<R extends DecidingRule>(all: readonly R[]): (alert: Alert) => Decision<R> {
  const index = createRuleIndex(enabledInOrder(all));
  return (alert) => {
    const rules: R[] = [];
    for (const rule of index.matching(alert)) {
      if (rule.onlyUnmatched && rules.length > 0) continue;
      if (rule.effect === "drop") return { rules, droppedBy: rule };
      rules.push(rule);
      if (rule.stop || rules.length === MAX_RULES_TAKING) break;
    }
    return { rules, droppedBy: undefined };
  };
}

export function inOrder<R extends Pick<DecidingRule, "id" | "order">>(rules: readonly R[]): R[] {
  return rules.toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
}

export const enabledInOrder = <R extends DecidingRule>(rules: readonly R[]): R[] =>
  inOrder(rules).filter(({ enabled }) => enabled);

/**
 * - `notifies`, `drops`: the rule takes the alert
 * - `not_met`: its conditions do not hold
 * - `not_asked`: an earlier rule stopped or dropped the alert, or the maximum number of rules took it; or this rule takes only
 *   unmatched alerts, and an earlier rule took this one
 * - `disabled`
 */
export type RuleReason = "notifies" | "drops" | "not_met" | "not_asked" | "disabled";

export interface RuleExplanation<R> {
  readonly rule: R;
  readonly reason: RuleReason;
  /** Result of each condition, first those of `match`, then those of `any`. */
  readonly conditions: readonly { readonly condition: Condition; readonly verdict: Verdict }[];
}

/**
 * Explains the result of each rule for an alert, in the order of the rules. It evaluates all rules, so use it for single alerts
 * only.
 */
export function explain<R extends DecidingRule>(rules: readonly R[], alert: Alert): RuleExplanation<R>[] {
  let isOver = false;
  let taking = 0;
  return inOrder(rules).map((rule) => {
    const { match, any } = rule.matchers;
    const verdicts = (some: readonly Condition[]) =>
      some.map((condition) => ({ condition, verdict: compileCondition(condition)(alert) }));
    const [all, one] = [verdicts(match), verdicts(any)];
    const holds = ({ verdict }: { readonly verdict: Verdict }) => verdict === "holds";
    const isMet = all.every(holds) && (one.length === 0 || one.some(holds));
    const reason = reasonOf(rule, isMet, isOver || (rule.onlyUnmatched === true && taking > 0));
    if (reason === "notifies") taking++;
    if (reason === "drops" || (reason === "notifies" && rule.stop) || taking === MAX_RULES_TAKING)
      isOver = true;
    return { rule, reason, conditions: [...all, ...one] };
  });
}

function reasonOf({ enabled, effect }: DecidingRule, isMet: boolean, isTaken: boolean): RuleReason {
  if (!enabled) return "disabled";
  if (!isMet) return "not_met";
  if (isTaken) return "not_asked";
  return effect === "drop" ? "drops" : "notifies";
}
