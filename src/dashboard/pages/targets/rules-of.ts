import type { AlertRule } from "../../api/rules.ts";

/** A rule that notifies a target. */
export interface RuleOfTarget {
  readonly name: string;
  readonly isEnabled: boolean;
  /** Whether only escalation steps of the rule notify it. */
  readonly isEscalation: boolean;
}

/** The rules that notify a target. */
export function rulesOf(targetId: string, rules: readonly AlertRule[]): RuleOfTarget[] {
  return rules.flatMap(({ settings: { name, enabled = true, notify } }) => {
    const isFirst = notify?.targets?.includes(targetId) ?? false;
    const isLater = notify?.escalation?.some(({ targets }) => targets?.includes(targetId)) ?? false;
    return isFirst || isLater ? [{ name, isEnabled: enabled, isEscalation: !isFirst }] : [];
  });
}
