import type { PolicyDocument, TransportSettings } from "../../store/policy-document.ts";

/**
 * The transports of a policy for a recipient's domain: those of the first rule that names it, or the policy's own.
 * @param domain as A-labels, in lower case
 */
export function transportsFor(
  { rules = [], transports }: Pick<PolicyDocument, "rules" | "transports">,
  domain: string,
): readonly TransportSettings[] {
  if (rules.length === 0) return transports;
  const names = [domain, ...wildcardsOf(domain)];
  const rule = rules.find(({ domains }) => names.some((name) => domains.includes(name)));
  return rule?.transports ?? transports;
}

/** `*.b.c` and `*.c` for `a.b.c`: every wildcard that the domain is below. */
function wildcardsOf(domain: string): string[] {
  const labels = domain.split(".").slice(1);
  return labels.map((_, index) => `*.${labels.slice(index).join(".")}`);
}
