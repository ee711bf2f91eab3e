import type { Evidence } from "../check-result.ts";
import type { LookupFailure } from "../lookup-failure.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { type DkimKey, parseKey } from "./parse-key.ts";

/** Key records of one selector. */
export interface DkimSite {
  readonly selector: string;
  /** Name of the key record. */
  readonly name: string;
  readonly evidence: Evidence;
  /**
   * TXT records, each joined to one string. With several records, verifiers do not know which one to use (RFC 6376
   * section 3.6.2.2).
   */
  readonly texts: readonly string[];
  readonly keys: readonly DkimKey[];
  /** Target of an alias: the operator of that name publishes the key. */
  readonly alias?: string;
  /** Why the lookup failed. */
  readonly failure?: LookupFailure;
}

export interface DkimSites {
  readonly sites: readonly DkimSite[];
  /** The selectors are guesses: mail may not be signed with them. */
  readonly isGuess: boolean;
}

/** Selectors of common providers and programs. SES, Postmark and others use names that cannot be guessed. */
const WELL_KNOWN = [
  ...["default", "google", "selector1", "selector2", "k1", "k2", "k3", "s1", "s2"],
  ...["mail", "dkim", "smtp", "mandrill", "pm", "zoho", "mxvault"],
  ...["protonmail", "protonmail2", "protonmail3", "fm1", "fm2", "fm3"],
];

/** The keys of these selectors, or of the well-known selectors if none are given. */
export async function findKeys(
  domain: string,
  selectors: readonly string[],
  dns: ProbeDns,
): Promise<DkimSites> {
  const given = [...new Set(selectors.map((one) => one.toLowerCase()))];
  if (given.length > 0) return { sites: await readSites(domain, given, dns), isGuess: false };
  // RFC 8020: if a name does not exist, no name below it exists. This avoids the lookups below for most domains.
  const name = `_domainkey.${domain}`;
  const { answer, evidence } = await dns.lookUp(name, "TXT");
  if (answer.kind === "no_domain")
    return { sites: [{ selector: "", name, evidence, texts: [], keys: [] }], isGuess: true };
  return { sites: await readSites(domain, WELL_KNOWN, dns), isGuess: true };
}

function readSites(domain: string, selectors: readonly string[], dns: ProbeDns): Promise<DkimSite[]> {
  return Promise.all(selectors.map((selector) => readSite(domain, selector, dns)));
}

async function readSite(domain: string, selector: string, dns: ProbeDns): Promise<DkimSite> {
  const name = `${selector}._domainkey.${domain}`;
  const { answer, evidence } = await dns.lookUp(name, "TXT");
  const site = { selector, name, evidence };
  if (answer.kind === "failed")
    return { ...site, texts: [], keys: [], failure: { name, reason: answer.reason } };
  if (answer.kind !== "records") return { ...site, texts: [], keys: [] };
  const texts = answer.records.map((strings) => strings.join(""));
  const alias = answer.canonicalName === name.toLowerCase() ? {} : { alias: answer.canonicalName };
  return { ...site, texts, keys: texts.map(parseKey), ...alias };
}
