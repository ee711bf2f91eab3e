import type { RuleContent } from "../../api/rules.ts";
import { t } from "../../texts/texts.ts";
import { conditionText } from "./condition-values.ts";

/** The conditions of a rule as one line. */
export function conditionsText({ match = [], any = [] }: Pick<RuleContent, "match" | "any">): string {
  const all = match.map(conditionText);
  const one = any.map(conditionText).join(` ${t.rules.or} `);
  const parts = one === "" ? all : [...all, all.length > 0 && any.length > 1 ? `(${one})` : one];
  return parts.length === 0 ? t.rules.everyAlert : parts.join(` ${t.rules.and} `);
}

/** The effect of a rule, in a few words. */
export function effectText({ effect, notify }: Pick<RuleContent, "effect" | "notify">): string {
  if (effect === "drop") return t.rules.drops;
  const { recipients = [], on_call_schedules: schedules = [], targets = [] } = notify ?? {};
  const [first, ...others] = [...recipients, ...schedules.map(t.rules.onCall)];
  // Targets have an id and no name in a rule.
  if (first === undefined)
    return targets.length > 0 ? t.rules.targetCount(targets.length) : t.rules.webhooksOnly;
  const more = others.length + targets.length;
  return more === 0 ? first : t.rules.andOthers(first, more);
}
