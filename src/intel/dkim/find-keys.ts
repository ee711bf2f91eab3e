import type { Evidence } from "../check-result.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { type DkimKey, parseKey } from "./parse-key.ts";

/** What stands at one selector. */
export interface DkimSite {
  readonly selector: string;
  /** Where the key record stands. */
  readonly name: string;
  readonly evidence: Evidence;
  /** TXT records, each in one piece; verifiers do not know which one of several counts (RFC 6376 section 3.6.2.2). */
  readonly texts: readonly string[];
  readonly keys: readonly DkimKey[];
  /** Where an alias leads: those who run that name publish the key. */
  readonly alias?: string;
  /** Why nothing is known. */
  readonly failure?: string;
}

export interface DkimSites {
  readonly sites: readonly DkimSite[];
  /** The selectors are guesses: nothing says that mail is signed with them. */
  readonly isGuess: boolean;
}

/** What providers and programs call their selectors. SES, Postmark and others have names that nobody can guess. */
const WELL_KNOWN = [
  ...["default", "google", "selector1", "selector2", "k1", "k2", "k3", "s1", "s2"],
  ...["mail", "dkim", "smtp", "mandrill", "pm", "zoho", "mxvault"],
  ...["protonmail", "protonmail2", "protonmail3", "fm1", "fm2", "fm3"],
];

/** The keys of these selectors; without any, those of well-known ones. */
export async function findKeys(
  domain: string,
  selectors: readonly string[],
  dns: ProbeDns,
): Promise<DkimSites> {
  const given = [...new Set(selectors.map((one) => one.toLowerCase()))];
  if (given.length > 0) return { sites: await lookAtAll(domain, given, dns), isGuess: false };
  // RFC 8020: below a name that does not exist there is nothing. It saves most domains all of these lookups.
  const name = `_domainkey.${domain}`;
  const { answer, evidence } = await dns.lookUp(name, "TXT");
  if (answer.kind === "no_domain")
    return { sites: [{ selector: "", name, evidence, texts: [], keys: [] }], isGuess: true };
  return { sites: await lookAtAll(domain, WELL_KNOWN, dns), isGuess: true };
}

function lookAtAll(domain: string, selectors: readonly string[], dns: ProbeDns): Promise<DkimSite[]> {
  return Promise.all(selectors.map((selector) => lookAt(domain, selector, dns)));
}

async function lookAt(domain: string, selector: string, dns: ProbeDns): Promise<DkimSite> {
  const name = `${selector}._domainkey.${domain}`;
  const { answer, evidence } = await dns.lookUp(name, "TXT");
  const site = { selector, name, evidence };
  if (answer.kind === "failed") return { ...site, texts: [], keys: [], failure: `${name}: ${answer.reason}` };
  if (answer.kind !== "records") return { ...site, texts: [], keys: [] };
  const texts = answer.records.map((strings) => strings.join(""));
  const alias = answer.canonicalName === name.toLowerCase() ? {} : { alias: answer.canonicalName };
  return { ...site, texts, keys: texts.map(parseKey), ...alias };
}
