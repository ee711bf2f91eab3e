import { phrase } from "../../shared/phrase.ts";
import { type Evaluation, type Evidence, fixFields, observedFields } from "../check-result.ts";
import { type LookupFailure, lookupsFailed } from "../lookup-failure.ts";
import { BUDGET_REASON, type ProbeDns } from "../probe-dns.ts";
import { parseDmarc } from "./parse-dmarc.ts";
import { type AppliedDmarc, type DmarcWalk, walkDmarc } from "./walk-dmarc.ts";

/** RFC 1035 section 2.3.4: 255 octets on the wire are 253 in text. */
const MAX_NAME_LENGTH = 253;
const MAX_SHOWN = 5;

/** Result for one destination. */
interface Destination {
  readonly domain: string;
  readonly outcome: "own" | "authorised" | "refused" | { readonly failure: LookupFailure };
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
    return {
      evaluation: { status: "not_tested", ...observedFields(phrase("dmarc.no_reports_by_mail")) },
      evidence,
    };
  const destinations: Destination[] = [];
  for (const domain of domains) {
    const { outcome, evidence: found } = await askDestination({ walk, site: site.domain, domain }, dns);
    evidence.push(...found);
    destinations.push({ domain, outcome });
    if (dns.isOverBudget()) {
      destinations.push({ domain, outcome: { failure: { name: domain, reason: BUDGET_REASON } } });
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
  if (walk.failure !== undefined) return { outcome: { failure: walk.failure }, evidence: [first] };
  const other = await walkDmarc(domain, dns);
  const evidence = [first, ...other.sites.map((one) => one.evidence)];
  if (other.organisation === walk.organisation) return { outcome: "own", evidence };
  if (answer.kind === "failed") return { outcome: { failure: { name, reason: answer.reason } }, evidence };
  const { failure } = other;
  return { outcome: failure === undefined ? "refused" : { failure }, evidence };
}

function evaluate(domain: string, destinations: readonly Destination[]): Evaluation {
  const failures = destinations.flatMap(({ outcome }) =>
    typeof outcome === "object" ? [outcome.failure] : [],
  );
  if (failures.length > 0) return { status: "error", ...observedFields(lookupsFailed(failures)) };
  const refused = destinations.filter(({ outcome }) => outcome === "refused").map((one) => one.domain);
  const [first] = refused;
  if (first === undefined) {
    const isOwn = destinations.every(({ outcome }) => outcome === "own");
    const observed = isOwn ? phrase("dmarc.reports_stay") : phrase("dmarc.destinations_agreed");
    return { status: "pass", ...observedFields(observed) };
  }
  const name = authorisationName(domain, first);
  const domains = refused.slice(0, MAX_SHOWN);
  const notAgreed =
    domains.length === 1
      ? phrase("dmarc.not_agreed", { destination: first, domain })
      : phrase("dmarc.not_agreed_several", { destinations: domains, domain });
  return {
    status: refused.length < destinations.length ? "warn" : "fail",
    ...observedFields(notAgreed),
    fix:
      name.length > MAX_NAME_LENGTH
        ? fixFields(phrase("dmarc.destination_too_long", { destination: first }))
        : {
            record: { name, type: "TXT", value: "v=DMARC1" },
            ...fixFields(phrase("dmarc.ask_destination", { destinations: domains })),
          },
  };
}

function authorisationName(domain: string, destination: string): string {
  return `${domain}._report._dmarc.${destination}`;
}
