import type { Evidence } from "../check-result.ts";
import type { LookupFailure } from "../lookup-failure.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { type DmarcRecord, parseDmarc } from "./parse-dmarc.ts";

/** Records at `_dmarc` below one domain. */
export interface DmarcSite {
  readonly domain: string;
  readonly evidence: Evidence;
  /** TXT records, each joined to one string. */
  readonly texts: readonly string[];
  /** The DMARC records among them. If there are several, receivers use none. */
  readonly found: readonly DmarcRecord[];
  /** Why the lookup failed. */
  readonly failure?: LookupFailure;
}

/**
 * Origin of the record that applies to a domain (RFC 9989 section 4.10.1):
 *
 * - `own`: the domain itself
 * - `organisation`: the organizational domain, which is above it
 * - `suffix`: a public suffix
 */
export interface AppliedDmarc {
  readonly kind: "own" | "organisation" | "suffix";
  readonly site: DmarcSite;
  readonly record: DmarcRecord;
}

export interface DmarcWalk {
  readonly domain: string;
  /** In the order of the queries: the domain itself comes first. */
  readonly sites: readonly DmarcSite[];
  /** Why a query failed. The walk ended there. */
  readonly failure?: LookupFailure;
  /** Undefined: there is none, or it is unknown because of `failure`. */
  readonly applied?: AppliedDmarc;
  /** Undefined: unknown because of `failure`. */
  readonly organisation?: string;
}

/** RFC 9989 section 4.10: maximum number of queries of a walk. */
const MAX_QUERIES = 8;

/** The domains that a walk may query, in order. */
export function walkNames(domain: string): string[] {
  const labels = domain.split(".");
  const start = labels.length < MAX_QUERIES ? 1 : labels.length - (MAX_QUERIES - 1);
  return [domain, ...labels.slice(start).map((_, index) => labels.slice(start + index).join("."))];
}

/**
 * Walks up the DNS tree. It continues after the record that applies: the organizational domain is known only at the
 * end.
 * @param name in A-labels
 */
export async function walkDmarc(name: string, dns: ProbeDns): Promise<DmarcWalk> {
  const domain = name.toLowerCase().replace(/\.$/, "");
  const sites: DmarcSite[] = [];
  for (const next of walkNames(domain)) {
    const site = await readSite(next, dns);
    sites.push(site);
    if (site.failure !== undefined || isEnd(site)) break;
  }
  const failure = sites.at(-1)?.failure;
  const organisation = failure === undefined ? organisationOf(domain, sites) : undefined;
  const applied = appliedOf(sites, organisation);
  return {
    domain,
    sites,
    ...(failure !== undefined && { failure }),
    ...(organisation !== undefined && { organisation }),
    ...(applied && { applied }),
  };
}

async function readSite(domain: string, dns: ProbeDns): Promise<DmarcSite> {
  const name = `_dmarc.${domain}`;
  const { answer, evidence } = await dns.lookUp(name, "TXT");
  if (answer.kind === "failed")
    return { domain, evidence, texts: [], found: [], failure: { name, reason: answer.reason } };
  const texts = answer.kind === "records" ? answer.records.map((strings) => strings.join("")) : [];
  const found = texts.flatMap((text) => parseDmarc(text) ?? []);
  return { domain, evidence, texts, found };
}

/** The record of a site that receivers use. */
export function recordOf({ found }: Pick<DmarcSite, "found">): DmarcRecord | undefined {
  return found.length === 1 ? found[0] : undefined;
}

function isEnd(site: DmarcSite): boolean {
  const psd = recordOf(site)?.psd;
  return psd === "y" || psd === "n";
}

/**
 * Returns the organizational domain (RFC 9989 section 4.10.2).
 * @param sites of a walk that no failure has ended, beginning with the domain
 */
export function organisationOf(
  domain: string,
  sites: readonly Pick<DmarcSite, "domain" | "found">[],
): string {
  // The first record with psd=y or psd=n ended the walk, so the last record always decides.
  const last = sites.findLast((site) => recordOf(site) !== undefined);
  if (!last || last.domain === domain) return domain;
  if (recordOf(last)?.psd !== "y") return last.domain;
  const labels = domain.split(".");
  return labels.slice(labels.length - last.domain.split(".").length - 1).join(".");
}

function appliedOf(sites: readonly DmarcSite[], organisation: string | undefined): AppliedDmarc | undefined {
  const applied = (kind: AppliedDmarc["kind"], site: DmarcSite | undefined): AppliedDmarc | undefined => {
    const record = site && recordOf(site);
    return site && record && { kind, site, record };
  };
  const own = applied("own", sites[0]);
  if (own || organisation === undefined) return own;
  const suffix = sites.find((site) => recordOf(site)?.psd === "y");
  return (
    applied(
      "organisation",
      sites.find((site) => site.domain === organisation),
    ) ?? applied("suffix", suffix)
  );
}
