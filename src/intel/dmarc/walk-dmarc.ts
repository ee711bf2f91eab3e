import type { Evidence } from "../check-result.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { type DmarcRecord, parseDmarc } from "./parse-dmarc.ts";

/** What stands at `_dmarc` below one domain. */
export interface DmarcSite {
  readonly domain: string;
  readonly evidence: Evidence;
  /** TXT records, each in one piece. */
  readonly texts: readonly string[];
  /** Those that are DMARC records: of several, receivers use none. */
  readonly found: readonly DmarcRecord[];
  /** Why nothing is known. */
  readonly failure?: string;
}

/**
 * Whose record applies to a domain (RFC 9989 section 4.10.1):
 *
 * - `own`: its own
 * - `organisation`: that of the organisational domain, which is above it
 * - `suffix`: that of a public suffix
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
  /** Why a query had no answer: the walk ended there. */
  readonly failure?: string;
  /** Undefined: there is none, or it is not known because of `failure`. */
  readonly applied?: AppliedDmarc;
  /** Undefined: it is not known because of `failure`. */
  readonly organisation?: string;
}

/** RFC 9989 section 4.10: as many queries as a walk has at most. */
const MAX_QUERIES = 8;

/** The domains whose records a walk may ask for, in its order. */
export function walkNames(domain: string): string[] {
  const labels = domain.split(".");
  const start = labels.length < MAX_QUERIES ? 1 : labels.length - (MAX_QUERIES - 1);
  return [domain, ...labels.slice(start).map((_, index) => labels.slice(start + index).join("."))];
}

/**
 * Walks up the tree of names: past the record that applies, for which domain is the organisational one is known at the end.
 * @param name in A-labels
 */
export async function walkDmarc(name: string, dns: ProbeDns): Promise<DmarcWalk> {
  const domain = name.toLowerCase().replace(/\.$/, "");
  const sites: DmarcSite[] = [];
  for (const next of walkNames(domain)) {
    const site = await lookAt(next, dns);
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

async function lookAt(domain: string, dns: ProbeDns): Promise<DmarcSite> {
  const { answer, evidence } = await dns.lookUp(`_dmarc.${domain}`, "TXT");
  if (answer.kind === "failed")
    return { domain, evidence, texts: [], found: [], failure: `_dmarc.${domain}: ${answer.reason}` };
  const texts = answer.kind === "records" ? answer.records.map((strings) => strings.join("")) : [];
  const found = texts.flatMap((text) => parseDmarc(text) ?? []);
  return { domain, evidence, texts, found };
}

/** The record of a site, as far as receivers see one. */
export function recordOf({ found }: Pick<DmarcSite, "found">): DmarcRecord | undefined {
  return found.length === 1 ? found[0] : undefined;
}

function isEnd(site: DmarcSite): boolean {
  const psd = recordOf(site)?.psd;
  return psd === "y" || psd === "n";
}

/**
 * RFC 9989 section 4.10.2.
 * @param sites of a walk that no failure has ended, which begins at the domain
 */
export function organisationOf(
  domain: string,
  sites: readonly Pick<DmarcSite, "domain" | "found">[],
): string {
  // The first record with psd=y or psd=n has ended the walk: so the last one decides in any case.
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
