import type { Evaluation, Evidence } from "../check-result.ts";
import { BUDGET_REASON, type ProbeDns } from "../probe-dns.ts";
import { parseDmarc } from "./parse-dmarc.ts";
import { type AppliedDmarc, type DmarcWalk, walkDmarc } from "./walk-dmarc.ts";

/** RFC 1035 section 2.3.4: 255 octets on the wire are 253 in text. */
const MAX_NAME_LENGTH = 253;

/** Result for one destination. */
interface Destination {
  readonly domain: string;
  readonly outcome: "own" | "authorised" | "refused" | { readonly failure: string };
}

/**
 * Judges whether reports may be sent to the requested addresses (RFC 9990 section 4). A destination outside of the
 * organizational domain has to agree with a record below its own name. A wildcard record there matches the queried
 * name.
 */
export async function evaluateAuthorisation(
  walk: DmarcWalk,
  { kind, site, record }: AppliedDmarc,
  dns: ProbeDns,
): Promise<{ readonly evaluation: Evaluation; readonly evidence: readonly Evidence[] }> {
  const domains = new Set(record.rua.flatMap((uri) => (uri.kind === "mail" ? [uri.domain] : [])));
  const evidence: Evidence[] = [];

  if (kind === "suffix" || domains.size === 0)
    return { evaluation: { status: "not_tested", observed: "No reports are requested by mail." }, evidence };
  const destinations: Destination[] = [];
  for (const domain of domains) {
    const { outcome, evidence: found } = await askDestination({ walk, site: site.domain, domain }, dns);
    evidence.push(...found);
    destinations.push({ domain, outcome });
    if (dns.isOverBudget()) {
      destinations.push({ domain, outcome: { failure: BUDGET_REASON } });
      break;
    }
  }
  return { evaluation: evaluate(site.domain, destinations), evidence };
}

/**
 * Returns whether reports may be sent to a domain.
 * @param site domain of the record that requests the reports
 */
export async function askDestination(
  { walk, site, domain }: { readonly walk: DmarcWalk; readonly site: string; readonly domain: string },
  dns: ProbeDns,
): Promise<{ readonly outcome: Destination["outcome"]; readonly evidence: readonly Evidence[] }> {
  if ([site, walk.domain, walk.organisation].includes(domain)) return { outcome: "own", evidence: [] };
  const name = authorisationName(site, domain);
  if (name.length > MAX_NAME_LENGTH) return { outcome: "refused", evidence: [] };
  const { answer, evidence: first } = await dns.lookUp(name, "TXT");
  const texts = answer.kind === "records" ? answer.records.map((strings) => strings.join("")) : [];
  if (texts.some((text) => parseDmarc(text) !== undefined))
    return { outcome: "authorised", evidence: [first] };
  if (walk.organisation === undefined)
    return { outcome: { failure: walk.failure ?? "unknown" }, evidence: [first] };
  const other = await walkDmarc(domain, dns);
  const evidence = [first, ...other.sites.map((one) => one.evidence)];
  if (other.organisation === walk.organisation) return { outcome: "own", evidence };
  if (answer.kind === "failed") return { outcome: { failure: `${name}: ${answer.reason}` }, evidence };
  const failure = other.failure ?? "unknown";
  return { outcome: other.organisation === undefined ? { failure } : "refused", evidence };
}

function evaluate(domain: string, destinations: readonly Destination[]): Evaluation {
  const failures = destinations.flatMap(({ outcome }) =>
    typeof outcome === "object" ? [outcome.failure] : [],
  );
  if (failures.length > 0)
    return { status: "error", observed: `Some lookups failed. ${failures.slice(0, 5).join("; ")}.` };
  const refused = destinations.filter(({ outcome }) => outcome === "refused").map((one) => one.domain);
  const [first] = refused;
  if (first === undefined) {
    const isOwn = destinations.every(({ outcome }) => outcome === "own");
    const observed = isOwn
      ? "Reports stay within the organization."
      : "The report destinations have agreed to receive reports.";
    return { status: "pass", observed };
  }
  const name = authorisationName(domain, first);
  const all = refused.slice(0, 5).join(", ");
  return {
    status: refused.length < destinations.length ? "warn" : "fail",
    observed: `${all} has not agreed to receive reports about ${domain}, so receivers do not send them.`,
    fix:
      name.length > MAX_NAME_LENGTH
        ? {
            text: `The combined name is too long. Have the reports sent to a destination other than ${first}.`,
          }
        : {
            record: { name, type: "TXT", value: "v=DMARC1" },
            text: `Ask the operator of ${all} to publish this record, or have the reports sent to another address.`,
          },
  };
}

function authorisationName(domain: string, destination: string): string {
  return `${domain}._report._dmarc.${destination}`;
}
