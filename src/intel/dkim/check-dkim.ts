import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import type { DomainRole } from "../catalogue.ts";
import {
  type CheckResult,
  type Evaluation,
  expectedFields,
  type Fix,
  fixFields,
  observedFields,
} from "../check-result.ts";
import { lookupsFailed } from "../lookup-failure.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { quotable } from "../quotable.ts";
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
  "auth.dkim.key": phrase("dkim.expected_key"),
  "auth.dkim.strength": phrase("dkim.expected_strength"),
  "auth.dkim.testing": phrase("dkim.expected_testing"),
} as const;
/**
 * RFC 8301 section 3.2: verifiers reject shorter keys, signers should use more bits, and verifiers may ignore longer
 * keys.
 */
const MIN_RSA_BITS = 1_024;
const GOOD_RSA_BITS = 2_048;
const MAX_RSA_BITS = 4_096;
const MAX_SHOWN = 5;

/** The DKIM keys of a domain: `auth.dkim.key`, `auth.dkim.strength`, `auth.dkim.testing`. */
export async function checkDkim({ domain, role, selectors, dns }: DkimCheck): Promise<CheckResult[]> {
  if (role !== "sending") {
    const untested: Evaluation = {
      status: "not_tested",
      ...observedFields(phrase("dkim.not_needed")),
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
    (id): CheckResult => ({ id, ...evaluations[id], ...expectedFields(EXPECTED[id]), evidence }),
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
      return { status: "pass", ...observedFields(withKeys(phrase("dkim.guessed_keys"), usable)) };
    const unknown = failureOf(sites);
    if (unknown) return unknown;
    const [fault] = sites.flatMap((site) => (isMeant(site) ? (faultOf(site) ?? []) : []));
    if (fault) return { status: "warn", ...observedFields(fault.observed), fix: fault.fix };
    return { status: "not_tested", ...observedFields(phrase("dkim.no_guessed_key")) };
  }
  const [first] = faults;
  if (first) {
    const observed = phrases(...faults.slice(0, MAX_SHOWN).map((fault) => fault.observed));
    return { status: "fail", ...observedFields(observed), fix: first.fix };
  }
  const observed = observedFields(withKeys(phrase("dkim.keys"), usable));
  return failureOf(sites) ?? { status: "pass", ...observed };
}

/** Whether a record was meant to hold a key that has not been revoked. */
function isMeant({ keys }: DkimSite): boolean {
  const has = (wanted: DkimKey["kind"]) => keys.some(({ kind }) => kind === wanted);
  return has("unusable") || (has("usable") && keys.length > 1);
}

interface KeyFault {
  readonly observed: Phrase;
  readonly fix: Fix;
}

/** Why verifiers get no key from a selector; undefined: they get one, or the answer is unknown. */
function faultOf(site: DkimSite): KeyFault | undefined {
  const { name, texts, keys, alias, failure } = site;
  if (failure !== undefined || usableOf([site]).length > 0) return undefined;
  const fault = (found: Phrase, text: Phrase, value?: string): KeyFault => {
    const place = alias === undefined ? name : `${name} (${alias})`;
    const observed = phrases(phrase("dkim.place", { place }), found);
    if (alias !== undefined)
      return { observed, fix: fixFields(phrases(phrase("dkim.ask_target", { alias }), text)) };
    const record = value === undefined ? {} : { record: { name, type: "TXT", value } as const };
    return { observed, fix: { ...record, ...fixFields(text) } };
  };
  const publish = phrase("dkim.publish");
  if (texts.length === 0) return fault(phrase("dkim.no_record"), publish);
  if (texts.length > 1) {
    const good = texts.filter((_, index) => keys[index]?.kind === "usable");
    const observed = phrase("dkim.several_records", { count: texts.length });
    return fault(observed, phrase("dkim.keep_one"), new Set(good).size === 1 ? good[0] : undefined);
  }
  const [key] = keys;
  if (key?.kind === "revoked") return fault(phrase("dkim.key_revoked"), publish);
  if (key?.kind === "unusable") {
    const text = key.repaired === undefined ? publish : phrase("dkim.replace");
    return fault(key.problem, text, key.repaired);
  }
  return fault(phrase("dkim.no_key_record", { text: quotable(texts[0] ?? "") }), publish);
}

function evaluateStrength({ sites, isGuess }: DkimSites): Evaluation {
  const usable = usableOf(sites);
  const rsa = usable.filter(({ key }) => key.algorithm === "rsa");
  const broken = rsa.filter(({ key }) => key.bits < MIN_RSA_BITS);
  const short = rsa.filter(({ key }) => key.bits < GOOD_RSA_BITS);
  const long = rsa.filter(({ key }) => key.bits > MAX_RSA_BITS);
  const fix = fixFields(phrase("dkim.new_key", { bits: String(GOOD_RSA_BITS) }));
  if (broken.length > 0) {
    const observed = withKeys(phrase("dkim.keys_ignored"), broken);
    // Mail may not be signed with the key of a guessed selector.
    return { status: isGuess ? "warn" : "fail", ...observedFields(observed), fix };
  }
  const unknown = failureOf(sites);
  if (short.length > 0)
    return { status: "warn", ...observedFields(withKeys(phrase("dkim.keys_short"), short)), fix };
  if (long.length > 0) {
    const observed = withKeys(phrase("dkim.keys_long", { bits: String(MAX_RSA_BITS) }), long);
    return { status: "warn", ...observedFields(observed), fix };
  }
  if (unknown) return unknown;
  if (usable.length === 0) return { status: "not_tested", ...observedFields(phrase("dkim.no_usable_key")) };
  return { status: "pass", ...observedFields(withKeys(phrase("dkim.keys_strong"), usable)) };
}

function evaluateTesting({ sites }: DkimSites): Evaluation {
  const usable = usableOf(sites);
  const [first, ...others] = usable.filter(({ key }) => key.isTesting);
  if (!first) {
    const unknown = failureOf(sites);
    if (unknown) return unknown;
    return usable.length > 0
      ? { status: "pass", ...observedFields(phrase("dkim.no_testing")) }
      : { status: "not_tested", ...observedFields(phrase("dkim.no_usable_key")) };
  }
  const names = [first, ...others].map(({ name }) => name).slice(0, MAX_SHOWN);
  const observed = phrase("dkim.testing", { names });
  const value = first.alias === undefined ? withoutTesting(first.texts[0] ?? "") : undefined;
  const fix: Fix =
    value === undefined
      ? fixFields(phrase("dkim.ask_testing", { name: first.alias ?? first.name }))
      : { record: { name: first.name, type: "TXT", value }, ...fixFields(phrase("dkim.replace")) };
  return { status: "warn", ...observedFields(observed), fix };
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
  return { status: "error", ...observedFields(lookupsFailed(failures)) };
}

/** A sentence that ends with these keys. */
function withKeys(beginning: Phrase, sites: readonly UsableSite[]): Phrase {
  const shown = sites.slice(0, MAX_SHOWN);
  const keys = shown.flatMap((site, index) => describedKey(site, index + 1 < shown.length ? ")," : ")."));
  return phrases(beginning, ...keys);
}

function describedKey({ selector, key, alias }: UsableSite, end: string): Phrase[] {
  const afterKind = alias || key.hasGranularity ? "," : end;
  return [
    key.algorithm === "rsa"
      ? phrase("dkim.rsa_key", { selector, bits: String(key.bits), end: afterKind })
      : phrase("dkim.ed25519_key", { selector, end: afterKind }),
    ...(alias ? [phrase("dkim.key_alias", { alias, end: key.hasGranularity ? "," : end })] : []),
    ...(key.hasGranularity ? [phrase("dkim.key_granularity", { end })] : []),
  ];
}
