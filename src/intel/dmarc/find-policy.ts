import type { Evidence } from "../check-result.ts";
import type { LookupFailure } from "../lookup-failure.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { type DmarcPolicy, inTestMode } from "./parse-dmarc.ts";
import type { AppliedDmarc } from "./walk-dmarc.ts";

/** Policy for the mail of one domain. */
export interface FoundPolicy {
  readonly tag: "p" | "sp" | "np";
  /** The policy as written, with defaults applied. */
  readonly written: DmarcPolicy;
  /** The policy that receivers apply: one level weaker in test mode. */
  readonly inForce: DmarcPolicy;
  /** Evidence in addition to that of the record. */
  readonly evidence: readonly Evidence[];
}

/**
 * Finds the policy for a domain (RFC 9989 section 4.10.1). A record of a domain above applies with sp, or with np for
 * names that do not exist.
 * @returns undefined: receivers do not use the record
 */
export async function findPolicy(
  domain: string,
  { kind, record }: AppliedDmarc,
  dns: ProbeDns,
): Promise<
  FoundPolicy | { readonly failure: LookupFailure; readonly evidence: readonly Evidence[] } | undefined
> {
  const { policies, isTesting } = record;
  if (!policies) return undefined;
  const found = (tag: FoundPolicy["tag"], evidence: readonly Evidence[] = []): FoundPolicy => {
    const written = policies[tag];
    return { tag, written, inForce: inTestMode(written, isTesting), evidence };
  };
  if (kind === "own") return found("p");
  if (policies.sp === policies.np) return found("sp");
  // RFC 9989 section 3.2.13: a name exists if the answer is not NXDOMAIN, for any queried type.
  const { answer, evidence } = await dns.lookUp(domain, "TXT");
  if (answer.kind === "failed")
    return { failure: { name: domain, reason: answer.reason }, evidence: [evidence] };
  return found(answer.kind === "no_domain" ? "np" : "sp", [evidence]);
}
