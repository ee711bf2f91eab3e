import type { DomainRole } from "../catalogue.ts";
import type { CheckResult, Evaluation, Fix } from "../check-result.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { quoted } from "../quoted.ts";
import { type DkimSite, type DkimSites, findKeys } from "./find-keys.ts";
import { type DkimKey, withoutTesting } from "./parse-key.ts";

export interface DkimCheck {
  /** In A-labels. */
  readonly domain: string;
  readonly role: DomainRole;
  /** Selectors that sign the domain's mail. Empty: unknown. */
  readonly selectors: readonly string[];
  readonly dns: ProbeDns;
}

type UsableKey = Extract<DkimKey, { kind: "usable" }>;
type UsableSite = DkimSite & { readonly key: UsableKey };

const EXPECTED = {
  "auth.dkim.key": "Each selector has one key record, with a key that verifiers can use.",
  "auth.dkim.strength": "RSA keys have 2048 to 4096 bits. Ed25519 is strong enough.",
  "auth.dkim.testing": "No key record has t=y.",
} as const;
/**
 * RFC 8301 section 3.2: verifiers reject shorter keys, signers should use more bits, and verifiers may ignore longer
 * keys.
 */
const MIN_RSA_BITS = 1_024;
const GOOD_RSA_BITS = 2_048;
const MAX_RSA_BITS = 4_096;

/** The DKIM keys of a domain: `auth.dkim.key`, `auth.dkim.strength`, `auth.dkim.testing`. */
export async function checkDkim({ domain, role, selectors, dns }: DkimCheck): Promise<CheckResult[]> {
  if (role !== "sending") {
    const untested: Evaluation = {
      status: "not_tested",
      observed: "The domain sends no mail and needs no DKIM key.",
    };
    return results(untested, untested, untested, []);
  }
  const found = await findKeys(domain.toLowerCase().replace(/\.$/, ""), selectors, dns);
  const evidence = found.isGuess ? seen(found.sites) : found.sites;
  return results(evaluateKeys(found), evaluateStrength(found), evaluateTesting(found), evidence);
}

function results(key: Evaluation, strength: Evaluation, testing: Evaluation, sites: readonly DkimSite[]) {
  const evaluations = { "auth.dkim.key": key, "auth.dkim.strength": strength, "auth.dkim.testing": testing };
  const evidence = sites.map((site) => site.evidence);
  return (Object.keys(EXPECTED) as (keyof typeof EXPECTED)[]).map(
    (id): CheckResult => ({ id, ...evaluations[id], expected: EXPECTED[id], evidence }),
  );
}

/** Evidence of guessed selectors: only answers with a record or an error. Most guesses find nothing. */
function seen(sites: readonly DkimSite[]): readonly DkimSite[] {
  const some = sites.filter(({ texts, failure }) => texts.length > 0 || failure !== undefined);
  return some.length > 0 ? some : sites;
}

function evaluateKeys(found: DkimSites): Evaluation {
  const { sites, isGuess } = found;
  const faults = sites.flatMap((site) => faultOf(site) ?? []);
  const usable = usableOf(sites);
  if (isGuess) {
    // An unused key is no fault, and the selectors in use are unknown.
    if (usable.length > 0)
      return { status: "pass", observed: `Well-known selectors have keys: ${described(usable)}.` };
    const unknown = failureOf(sites);
    if (unknown) return unknown;
    const [fault] = sites.flatMap((site) => (isMeant(site) ? (faultOf(site) ?? []) : []));
    if (fault) return { ...fault, status: "warn" };
    const observed = "No well-known selector has a key. The selectors of the domain's mail are unknown.";
    return { status: "not_tested", observed };
  }
  const [first] = faults;
  if (first) {
    const observed = faults
      .slice(0, 5)
      .map((fault) => fault.observed)
      .join(" ");
    return { ...first, observed };
  }
  return failureOf(sites) ?? { status: "pass", observed: `Each selector has a key: ${described(usable)}.` };
}

/** Whether a record was meant to hold a key that has not been revoked. */
function isMeant({ keys }: DkimSite): boolean {
  const has = (wanted: DkimKey["kind"]) => keys.some(({ kind }) => kind === wanted);
  return has("unusable") || (has("usable") && keys.length > 1);
}

/** Why verifiers get no key from a selector; undefined: they get one, or the answer is unknown. */
function faultOf(site: DkimSite): Evaluation | undefined {
  const { name, texts, keys, alias, failure } = site;
  if (failure !== undefined || usableOf([site]).length > 0) return undefined;
  const fault = (observed: string, text: string, value?: string): Evaluation => {
    if (alias !== undefined) {
      const fix = { text: `Ask the operator of ${alias}, the target of the alias. ${text}` };
      return { status: "fail", observed: `${name} (${alias}): ${observed}`, fix };
    }
    const record = value === undefined ? {} : { record: { name, type: "TXT", value } as const };
    return { status: "fail", observed: `${name}: ${observed}`, fix: { ...record, text } };
  };
  const publish = "Publish the record that the service signing with this selector provides.";
  if (texts.length === 0) return fault("There is no key record.", publish);
  if (texts.length > 1) {
    const good = texts.filter((_, index) => keys[index]?.kind === "usable");
    const text = "Keep the record of the key that signs the mail, and remove all others.";
    const observed = `There are ${texts.length} TXT records, and verifiers do not know which one to use.`;
    return fault(observed, text, new Set(good).size === 1 ? good[0] : undefined);
  }
  const [key] = keys;
  if (key?.kind === "revoked") return fault("The key was revoked: p is empty.", publish);
  if (key?.kind === "unusable") {
    const text = key.repaired === undefined ? publish : "Replace the record with this one.";
    return fault(key.problem, text, key.repaired);
  }
  return fault(`This is not a key record: ${quoted(texts[0] ?? "")}.`, publish);
}

function evaluateStrength({ sites, isGuess }: DkimSites): Evaluation {
  const usable = usableOf(sites);
  const rsa = usable.filter(({ key }) => key.algorithm === "rsa");
  const broken = rsa.filter(({ key }) => key.bits < MIN_RSA_BITS);
  const short = rsa.filter(({ key }) => key.bits < GOOD_RSA_BITS);
  const long = rsa.filter(({ key }) => key.bits > MAX_RSA_BITS);
  const fix = {
    text: `Sign mail with a new RSA key of ${GOOD_RSA_BITS} bits, under a new selector.`,
  };
  if (broken.length > 0) {
    const observed = `Verifiers ignore signatures with keys this short: ${described(broken)}.`;
    // Mail may not be signed with the key of a guessed selector.
    return { status: isGuess ? "warn" : "fail", observed, fix };
  }
  const unknown = failureOf(sites);
  if (short.length > 0)
    return { status: "warn", observed: `These keys are short: ${described(short)}.`, fix };
  if (long.length > 0) {
    const observed = `Some verifiers cannot use keys of more than ${MAX_RSA_BITS} bits: ${described(long)}.`;
    return { status: "warn", observed, fix };
  }
  if (unknown) return unknown;
  if (usable.length === 0) return { status: "not_tested", observed: "There is no key." };
  return { status: "pass", observed: `Keys are strong enough: ${described(usable)}.` };
}

function evaluateTesting({ sites }: DkimSites): Evaluation {
  const usable = usableOf(sites);
  const [first, ...others] = usable.filter(({ key }) => key.isTesting);
  if (!first) {
    const unknown = failureOf(sites);
    if (unknown) return unknown;
    return usable.length > 0
      ? { status: "pass", observed: "No key is in testing mode." }
      : { status: "not_tested", observed: "There is no key." };
  }
  const names = [first, ...others].map(({ name }) => name).slice(0, 5);
  const observed = `Verifiers treat signed mail as unsigned (t=y): ${names.join(", ")}.`;
  const value = first.alias === undefined ? withoutTesting(first.texts[0] ?? "") : undefined;
  const fix: Fix =
    value === undefined
      ? { text: `Ask the operator of ${first.alias ?? first.name} to remove t=y.` }
      : { record: { name: first.name, type: "TXT", value }, text: "Replace the record with this one." };
  return { status: "warn", observed, fix };
}

function usableOf(sites: readonly DkimSite[]): UsableSite[] {
  return sites.flatMap((site) => {
    const [key, another] = site.keys;
    return key?.kind === "usable" && !another ? [{ ...site, key }] : [];
  });
}

function failureOf(sites: readonly DkimSite[]): Evaluation | undefined {
  const failures = sites.flatMap(({ failure }) => failure ?? []);
  if (failures.length === 0) return undefined;
  return { status: "error", observed: `Some lookups failed. ${failures.slice(0, 5).join("; ")}.` };
}

function described(sites: readonly UsableSite[]): string {
  return sites
    .slice(0, 5)
    .map(({ selector, key, alias }) => {
      const kind = key.algorithm === "rsa" ? `RSA of ${key.bits} bits` : "Ed25519";
      const notes = [
        kind,
        ...(alias ? [`at ${alias}`] : []),
        ...(key.hasGranularity ? ["with the obsolete tag g"] : []),
      ];
      return `${selector} (${notes.join(", ")})`;
    })
    .join(", ");
}
