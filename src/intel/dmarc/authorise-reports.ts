import type { Evidence, Judgement } from "../check-result.ts";
import { BUDGET_REASON, type ProbeDns } from "../probe-dns.ts";
import { parseDmarc } from "./parse-dmarc.ts";
import { type AppliedDmarc, type DmarcWalk, walkDmarc } from "./walk-dmarc.ts";

/** RFC 1035 section 2.3.4: 255 octets on the wire are 253 in text. */
const MAX_NAME_LENGTH = 253;

/** What became of one destination. */
interface Destination {
  readonly domain: string;
  readonly outcome: "own" | "authorised" | "refused" | { readonly failure: string };
}

/**
 * Whether reports may go where they are asked for (RFC 9990 section 4): a destination outside of the organisational domain has
 * to agree, with a record below its own name. A wildcard there answers for the name that is asked for.
 */
export async function judgeAuthorisation(
  walk: DmarcWalk,
  { kind, site, record }: AppliedDmarc,
  dns: ProbeDns,
): Promise<{ readonly judgement: Judgement; readonly evidence: readonly Evidence[] }> {
  const domains = new Set(record.rua.flatMap((uri) => (uri.kind === "mail" ? [uri.domain] : [])));
  const evidence: Evidence[] = [];

  if (kind === "suffix" || domains.size === 0)
    return { judgement: { status: "not_tested", observed: "No reports are asked for by mail." }, evidence };
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
  return { judgement: judge(site.domain, destinations), evidence };
}

/**
 * Whether reports may go to a domain.
 * @param site where the record stands that asks for them, or would
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

function judge(domain: string, destinations: readonly Destination[]): Judgement {
  const failures = destinations.flatMap(({ outcome }) =>
    typeof outcome === "object" ? [outcome.failure] : [],
  );
  if (failures.length > 0)
    return { status: "error", observed: `Not all is known. ${failures.slice(0, 5).join("; ")}.` };
  const refused = destinations.filter(({ outcome }) => outcome === "refused").map((one) => one.domain);
  const [first] = refused;
  if (first === undefined) {
    const isOwn = destinations.every(({ outcome }) => outcome === "own");
    const observed = isOwn ? "Reports stay within the organisation." : "Those who get reports agree to it.";
    return { status: "pass", observed };
  }
  const name = authorisationName(domain, first);
  const all = refused.slice(0, 5).join(", ");
  return {
    status: refused.length < destinations.length ? "warn" : "fail",
    observed: `Nothing says that reports about ${domain} may be sent to ${all}, and so they are not sent.`,
    fix:
      name.length > MAX_NAME_LENGTH
        ? { text: `The names are too long together: have the reports sent elsewhere than to ${first}.` }
        : {
            record: { name, type: "TXT", value: "v=DMARC1" },
            text: `Ask those who run ${all} to publish this record there, or have the reports sent elsewhere.`,
          },
  };
}

function authorisationName(domain: string, destination: string): string {
  return `${domain}._report._dmarc.${destination}`;
}
