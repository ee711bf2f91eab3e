import type { Evidence } from "../check-result.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { type DmarcPolicy, inTestMode } from "./parse-dmarc.ts";
import type { AppliedDmarc } from "./walk-dmarc.ts";

/** What is asked for in the name of one domain. */
export interface FoundPolicy {
  readonly tag: "p" | "sp" | "np";
  /** As it is written, with the defaults. */
  readonly written: DmarcPolicy;
  /** What receivers apply: in test mode, one level less. */
  readonly inForce: DmarcPolicy;
  /** Beside the record's own. */
  readonly evidence: readonly Evidence[];
}

/**
 * The policy for a domain (RFC 9989 section 4.10.1): of a record that stands above it, sp or np, which is for names that do not
 * exist.
 * @returns undefined: receivers do not use the record
 */
export async function findPolicy(
  domain: string,
  { kind, record }: AppliedDmarc,
  dns: ProbeDns,
): Promise<FoundPolicy | { readonly failure: string; readonly evidence: readonly Evidence[] } | undefined> {
  const { policies, isTesting } = record;
  if (!policies) return undefined;
  const found = (tag: FoundPolicy["tag"], evidence: readonly Evidence[] = []): FoundPolicy => {
    const written = policies[tag];
    return { tag, written, inForce: inTestMode(written, isTesting), evidence };
  };
  if (kind === "own") return found("p");
  if (policies.sp === policies.np) return found("sp");
  // RFC 9989 section 3.2.13: what exists has an answer other than NXDOMAIN, whatever was asked for.
  const { answer, evidence } = await dns.lookUp(domain, "TXT");
  if (answer.kind === "failed") return { failure: `${domain}: ${answer.reason}`, evidence: [evidence] };
  return found(answer.kind === "no_domain" ? "np" : "sp", [evidence]);
}
