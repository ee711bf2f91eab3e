import type { PolicyDocument, TransportSettings } from "../store/policy-document.ts";

/** Transports of a policy for a recipient's domain, and the rule that selected them. */
export interface Decision {
  /** Rule and pattern that matched the domain; undefined if no rule matched. */
  readonly rule: { readonly index: number; readonly pattern: string } | undefined;
  /** In the order in which Hermod tries them. */
  readonly transports: readonly TransportSettings[];
}

type Ways = Pick<PolicyDocument, "rules" | "transports">;

/**
 * The first rule that names the domain applies. If no rule does, the policy's own transports are used.
 * @param domain as A-labels, in lower case
 */
export function decide({ rules = [], transports }: Ways, domain: string): Decision {
  const names = rules.length === 0 ? [] : [domain, ...wildcardsOf(domain)];
  for (const [index, rule] of rules.entries()) {
    const pattern = names.find((name) => rule.domains.includes(name));
    if (pattern !== undefined) return { rule: { index, pattern }, transports: rule.transports };
  }
  return { rule: undefined, transports };
}

/** Transports of a policy for a recipient's domain. */
export function transportsFor(policy: Ways, domain: string): readonly TransportSettings[] {
  return decide(policy, domain).transports;
}

/** Wildcards that the domain is below: `*.b.c` and `*.c` for `a.b.c`. */
function wildcardsOf(domain: string): string[] {
  const labels = domain.split(".").slice(1);
  return labels.map((_, index) => `*.${labels.slice(index).join(".")}`);
}
