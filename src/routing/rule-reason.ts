import { type Phrase, phrase } from "../shared/phrase.ts";
import type { Decision } from "./transports-for.ts";

/** Rule that applies to a recipient, and the number of rules of the policy. */
export interface RuleChoice {
  readonly rule: Decision["rule"];
  readonly rules: number;
}

/** Explains why the transports of a rule, or of the policy itself, are used for a domain. */
export function ruleReason({ rule, rules }: RuleChoice, domain: string): Phrase {
  if (rule) {
    const { index, pattern } = rule;
    const number = index + 1;
    return pattern === domain
      ? phrase("rule.names", { number, domain })
      : phrase("rule.names_below", { number, domain: pattern.slice(2) });
  }
  if (rules === 0) return phrase("rule.none");
  return rules === 1
    ? phrase("rule.only_other", { domain })
    : phrase("rule.others", { count: rules, domain });
}
