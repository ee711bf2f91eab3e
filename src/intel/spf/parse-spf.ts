import { isIPv4, isIPv6 } from "node:net";
import { type Phrase, phrase } from "../../shared/phrase.ts";
import {
  constantName,
  isWellFormedName,
  parseDomainSpec,
  parseMacroString,
  type Reading,
  type TextFault,
} from "./macro-string.ts";
import { shorten } from "./shown-terms.ts";
import { isMeantAsMechanism } from "./slips.ts";
import { MAX_RECORD_LENGTH, type Qualifier, type SpfTerm } from "./spf-term.ts";

export interface PlacedTerm {
  readonly term: SpfTerm;
  /** As written. */
  readonly text: string;
  /** Offset from the beginning of the record. */
  readonly offset: number;
}

/** A fault of a record. Its offset counts from the beginning of the record. */
export interface SpfFault extends TextFault {
  /** The whole term. */
  readonly text: string;
}

export interface SpfRecord {
  /** The valid terms, in order. */
  readonly terms: readonly PlacedTerm[];
  /** Each fault makes the whole record a permerror (RFC 7208 section 4.6). */
  readonly faults: readonly SpfFault[];
  /** Terms with valid syntax that are probably not meant so. */
  readonly doubts: readonly SpfFault[];
}

const VERSION = /^v=spf1$/i;
/** RFC 7208 section 4.6.1. The name of a mechanism is not followed by "=". */
const MODIFIER = /^([a-z][a-z0-9_.-]*)=(.*)$/is;
const DIRECTIVE = /^([-+~?]?)([^:/]*)(.*)$/s;
const DUAL_CIDR = /^(.*?)(?:\/(\d+))?(?:\/\/(\d+))?$/s;
/** RFC 7208 section 5.6: numbers have no leading zeros. */
const NUMBER = /^(?:0|[1-9]\d*)$/;
const BITS = { ip4: 32, ip6: 128 } as const;

/**
 * Reads an SPF record by the grammar of RFC 7208 section 12. Never throws: invalid parts become faults. A record
 * beyond the limit is not read.
 */
export function parseSpf(text: string): SpfRecord {
  if (text.length > MAX_RECORD_LENGTH) {
    const message = phrase("spf.fault_too_long", { count: MAX_RECORD_LENGTH });
    return { terms: [], faults: [{ ...fault(message, "3.4"), text: "v=spf1" }], doubts: [] };
  }
  const terms: PlacedTerm[] = [];
  const faults: SpfFault[] = [];
  const words = [...text.matchAll(/[^ ]+/g)].map((found) => ({ word: found[0], offset: found.index }));
  const [version, ...rest] = words;
  if (version?.offset !== 0 || !VERSION.test(version.word))
    faults.push({ ...fault(phrase("spf.fault_version"), "4.5"), text: version?.word ?? "" });
  for (const { word, offset } of rest) {
    const reading = parseTerm(word);
    if ("value" in reading) terms.push({ term: reading.value, text: word, offset });
    else faults.push({ ...reading.fault, offset: offset + reading.fault.offset, text: word });
  }
  for (const kind of ["redirect", "exp"] as const) {
    const [, ...others] = terms.filter(({ term }) => term.kind === kind);
    for (const { text: word, offset } of others)
      faults.push({ ...fault(phrase("spf.fault_twice", { term: kind }), "6"), offset, text: word });
  }
  return { terms, faults, doubts: terms.flatMap(doubtsOf) };
}

/** Reads one term, without the spaces around it. */
export function parseTerm(word: string): Reading<SpfTerm> {
  const [, modifier, value = ""] = MODIFIER.exec(word) ?? [];
  if (modifier !== undefined) return parseModifier(modifier, value);
  const [, sign = "", name = "", rest = ""] = DIRECTIVE.exec(word) ?? [];
  const qualifier = (sign || "+") as Qualifier;
  const before = sign.length + name.length;
  const kind = name.toLowerCase();
  switch (kind) {
    case "all":
      return rest === "" ? { value: { kind, qualifier } } : wrong(phrase("spf.fault_all"), "5.1", before);
    case "include":
    case "exists": {
      if (!rest.startsWith(":"))
        return wrong(phrase("spf.fault_no_name", { term: kind }), kind === "include" ? "5.2" : "5.7", before);
      return mapped(parseDomainSpec(rest.slice(1)), before + 1, (domain) => ({ kind, qualifier, domain }));
    }
    case "ptr": {
      if (rest === "") return { value: { kind, qualifier } };
      if (!rest.startsWith(":")) return wrong(phrase("spf.fault_ptr"), "5.5", before);
      return mapped(parseDomainSpec(rest.slice(1)), before + 1, (domain) => ({ kind, qualifier, domain }));
    }
    case "a":
    case "mx":
      return parseHosts(kind, qualifier, rest, before);
    case "ip4":
    case "ip6":
      return parseNetwork(kind, qualifier, rest, before);
    default:
      return wrong(phrase("spf.fault_mechanism", { name: shorten(name) }), "4.6.1", sign.length);
  }
}

function parseModifier(name: string, value: string): Reading<SpfTerm> {
  const kind = name.toLowerCase();
  const before = name.length + 1;
  if (kind === "redirect" || kind === "exp")
    return mapped(parseDomainSpec(value), before, (domain) => ({ kind, domain }));
  return mapped(parseMacroString(value), before, (parts) => ({ kind: "unknown", name, value: parts }));
}

/** `a` and `mx` (RFC 7208 sections 5.3 and 5.4). */
function parseHosts(kind: "a" | "mx", qualifier: Qualifier, rest: string, before: number): Reading<SpfTerm> {
  const [, name = "", ip4, ip6] = DUAL_CIDR.exec(rest) ?? [];
  const cidr = before + name.length;
  if (name !== "" && !name.startsWith(":")) return wrong(phrase("spf.fault_prefix_form"), "5.6", before);
  const problem = prefixProblem(ip4, BITS.ip4) ?? prefixProblem(ip6, BITS.ip6);
  if (problem !== undefined) return wrong(problem, "5.6", cidr);
  const bits = {
    ...(ip4 !== undefined && { ip4Bits: Number(ip4) }),
    ...(ip6 !== undefined && { ip6Bits: Number(ip6) }),
  };
  if (name === "") return { value: { kind, qualifier, ...bits } };
  return mapped(parseDomainSpec(name.slice(1)), before + 1, (domain) => ({
    kind,
    qualifier,
    domain,
    ...bits,
  }));
}

/** `ip4` and `ip6` (RFC 7208 section 5.6). */
function parseNetwork(
  kind: "ip4" | "ip6",
  qualifier: Qualifier,
  rest: string,
  before: number,
): Reading<SpfTerm> {
  if (!rest.startsWith(":")) return wrong(phrase("spf.fault_no_address", { term: kind }), "5.6", before);
  const [network = "", ...lengths] = rest.slice(1).split("/");
  // Node accepts a zone id after an IPv6 address, which is invalid in DNS.
  const isNetwork = kind === "ip4" ? isIPv4(network) : isIPv6(network) && !network.includes("%");
  if (!isNetwork) {
    const code = kind === "ip4" ? "spf.fault_ip4" : "spf.fault_ip6";
    return wrong(phrase(code, { text: shorten(network) }), "5.6", before + 1);
  }
  const [bits] = lengths;
  const problem = lengths.length > 1 ? phrase("spf.fault_prefixes") : prefixProblem(bits, BITS[kind]);
  if (problem !== undefined) return wrong(problem, "5.6", before + 1 + network.length);
  return { value: { kind, qualifier, network, ...(bits !== undefined && { bits: Number(bits) }) } };
}

function prefixProblem(text: string | undefined, most: number): Phrase | undefined {
  if (text === undefined || (NUMBER.test(text) && Number(text) <= most)) return undefined;
  return phrase("spf.fault_prefix", { text: shorten(text), most });
}

function doubtsOf({ term, text, offset }: PlacedTerm): SpfFault[] {
  if (term.kind === "unknown") {
    if (!isMeantAsMechanism(text, term.name)) return [];
    return [{ ...fault(phrase("spf.doubt_modifier"), "6"), offset, text }];
  }
  if (!("domain" in term) || !term.domain) return [];
  const name = constantName(term.domain);
  if (name === undefined || isWellFormedName(name)) return [];
  return [{ ...fault(phrase("spf.doubt_label"), "4.8"), offset, text }];
}

function mapped<T>(reading: Reading<T>, before: number, toTerm: (value: T) => SpfTerm): Reading<SpfTerm> {
  if ("value" in reading) return { value: toTerm(reading.value) };
  return { fault: { ...reading.fault, offset: before + reading.fault.offset } };
}

function wrong(message: Phrase, section: string, offset: number): { fault: TextFault } {
  return { fault: { ...fault(message, section), offset } };
}

function fault(message: Phrase, section: string): TextFault {
  return { offset: 0, message, section };
}
