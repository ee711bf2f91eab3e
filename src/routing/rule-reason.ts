import type { Decision } from "./transports-for.ts";

/** Rule that applies to a recipient, and the number of rules of the policy. */
export interface RuleChoice {
  readonly rule: Decision["rule"];
  readonly rules: number;
}

/** Explains in a sentence why the transports of a rule, or of the policy itself, are used for a domain. */
export function ruleReason({ rule, rules }: RuleChoice, domain: string): string {
  if (rule) {
    const { index, pattern } = rule;
    const names = pattern === domain ? `names ${domain}` : `names every domain below ${pattern.slice(2)}`;
    return `Rule ${index + 1} ${names} and is the first rule that matches. Only its transports are used.`;
  }
  if (rules === 0) return "The policy has no rules. Its own transports are used for every recipient.";
  if (rules === 1)
    return `The only rule of the policy does not name ${domain}. The policy's own transports are used.`;
  return `None of the ${rules} rules of the policy names ${domain}. The policy's own transports are used.`;
}
