import type { PolicyDocument, TransportSettings } from "../store/policy-document.ts";

/** Which transports a policy has for a recipient's domain, and by what. */
export interface Decision {
  /** The rule that decided, and which of its patterns named the domain; undefined: none did. */
  readonly rule: { readonly index: number; readonly pattern: string } | undefined;
  /** In the order in which to try them. */
  readonly transports: readonly TransportSettings[];
}

type Ways = Pick<PolicyDocument, "rules" | "transports">;

/**
 * The first rule that names the domain decides; where none does, the policy's own transports serve.
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

/** The transports of a policy for a recipient's domain. */
export function transportsFor(policy: Ways, domain: string): readonly TransportSettings[] {
  return decide(policy, domain).transports;
}

/** `*.b.c` and `*.c` for `a.b.c`: every wildcard that the domain is below. */
function wildcardsOf(domain: string): string[] {
  const labels = domain.split(".").slice(1);
  return labels.map((_, index) => `*.${labels.slice(index).join(".")}`);
}
