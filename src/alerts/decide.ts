import type { Alert } from "./alert.ts";
import { type Condition, compileCondition, type Verdict } from "./condition.ts";
import { createRuleIndex, type Indexed } from "./rule-index.ts";

/** What a rule does with the alerts that it takes. */
export type RuleEffect = "notify" | "drop";

/** What one alert sets off must not keep those of others waiting. */
export const MAX_RULES_TAKING = 100;

export interface DecidingRule extends Indexed {
  readonly id: string;
  /** Smaller ones come first; of the same order, the smaller id. */
  readonly order: number;
  readonly enabled: boolean;
  /** Rules behind it are not asked about what it takes. What is dropped stops, too. */
  readonly stop: boolean;
  /** It takes only alerts that no rule before it takes. */
  readonly onlyUnmatched?: boolean;
  readonly effect: RuleEffect;
}

export interface Decision<R> {
  /** Those that are to tell of it, in their order. */
  readonly rules: readonly R[];
  /** The rule that has dropped it; undefined: none has. What came before it stands. */
  readonly droppedBy: R | undefined;
}

/** What rules make of an alert. To be made once for a set of rules, and asked for each alert. */
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
 * - `notifies`, `drops`: it takes the alert
 * - `not_met`: its conditions do not hold
 * - `not_asked`: a rule before it has stopped, or dropped the alert, or as many have taken it as may; or it takes only
 *   unmatched alerts, and a rule before it takes this one
 * - `disabled`
 */
export type RuleReason = "notifies" | "drops" | "not_met" | "not_asked" | "disabled";

export interface RuleExplanation<R> {
  readonly rule: R;
  readonly reason: RuleReason;
  /** How each condition fared, those of `match` before those of `any`. */
  readonly conditions: readonly { readonly condition: Condition; readonly verdict: Verdict }[];
}

/** Why each rule does what it does with an alert, in the order of the rules. Looks at all of them: for people, one at a time. */
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
