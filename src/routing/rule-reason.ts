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
    return `Rule ${index + 1} ${names}, and is the first that names this one: its transports serve, and no others.`;
  }
  if (rules === 0) return "The policy has no rules: its own transports serve every recipient.";
  if (rules === 1) return `The policy's one rule does not name ${domain}: the policy's own transports serve.`;
  return `None of the policy's ${rules} rules names ${domain}: the policy's own transports serve.`;
}
