import { isIP } from "node:net";
import { constantName, isWellFormedName } from "./macro-string.ts";
import { parseTerm } from "./parse-spf.ts";
import {
  isMeantAsMechanism,
  isName,
  isNetwork,
  isShortNetwork,
  isSlipOf,
  MECHANISM,
  shortNetwork,
  withoutEmptyLabels,
} from "./slips.ts";
import type { SpfTerm } from "./spf-term.ts";

/** A word of a record, with its position. */
export interface SpfWord {
  readonly text: string;
  /** Offset from the beginning of the record. */
  readonly offset: number;
}

/** A term that a word is, or probably means. */
export interface ReadTerm {
  readonly text: string;
  readonly term: SpfTerm;
}

/**
 * A word after correction:
 *
 * - `kept`: valid as it is
 * - `mended`: a typing error; `terms` are the intended terms
 * - `harmless`: it can be removed because it allows or forbids no sender
 * - `lost`: its meaning is unknown
 */
export type MendedWord =
  | { readonly kind: "kept" | "mended"; readonly terms: readonly ReadTerm[] }
  | { readonly kind: "harmless" | "lost" };

/** Real terms are shorter, and the patterns below may backtrack over a hostile word. */
const MAX_MENDED = 255;
const MAX_DEPTH = 6;
const INCOMPLETE = /^[-+~?]?(?:include|exists|redirect|ip4|ip6|ip|ipv4|ipv6|a|mx|ptr)[:=]$/i;
const ADDRESS_KIND = /^(?:ip|ip4|ip6|ipv4|ipv6)$/i;
/** A mechanism that begins within a word: the space before it is missing. */
const GLUED =
  /(?<=.)(?=[-~?+]?(?:include|exists|redirect|ip4|ip6|ptr|mx)[:=])|(?<=[\d.a-z])(?=a:[a-z_])|(?<=.)(?=[-~?+]all$)/i;
/** Prefix lengths that a receiver can match. */
const BITS = { ip4: 32, ip6: 128 } as const;

/** The words of a record after its version. Words split by a stray space are joined. */
export function wordsOf(text: string): SpfWord[] {
  const words = [...text.matchAll(/[^ ]+/g)]
    .slice(1)
    .map((found) => ({ text: found[0], offset: found.index }));
  const joined: SpfWord[] = [];
  for (const word of words) {
    const before = joined.at(-1);
    const whole = before && joinedWord(before.text, word.text);
    if (before && whole !== undefined) joined.splice(-1, 1, { text: whole, offset: before.offset });
    else joined.push(word);
  }
  return joined;
}

/** `ip4: 192.0.2.1`, `include _spf.example.com`, `~ all`. */
function joinedWord(first: string, second: string): string | undefined {
  const whole = /^[-+~?]$/.test(first)
    ? `${first}${second}`
    : INCOMPLETE.test(first)
      ? `${first.slice(0, -1)}${/redirect/i.test(first) ? "=" : ":"}${second}`
      : ADDRESS_KIND.test(first) && isNetwork(second)
        ? `${first}:${second}`
        : /^[-+~?]?include$/i.test(first) && isName(second)
          ? `${first}:${second}`
          : undefined;
  if (whole === undefined || ("value" in parseTerm(second) && !/^[-+~?]$/.test(first))) return undefined;
  return mendWord(whole, {}).kind === "lost" ? undefined : whole;
}

export interface WordContext {
  /** The word references a name without an SPF record. */
  readonly isDead?: boolean;
  /** Positions within the word at which two strings of the TXT record meet. */
  readonly seams?: readonly number[];
}

/** Reads a word, and corrects typing errors. */
export function mendWord(word: string, { isDead = false, seams = [] }: WordContext): MendedWord {
  const own = isDead ? undefined : readTerm(word);
  if (own) return isRepeatedVersion(own.term) ? { kind: "harmless" } : { kind: "kept", terms: [own] };
  if (word.length > MAX_MENDED) return { kind: "lost" };
  const terms = termsOf(word, { isDead, seams }, 0);
  if (terms && terms.length > 0) return { kind: "mended", terms };
  return /^[^\p{L}\p{N}]*$/u.test(word) || /^exp=/i.test(word) ? { kind: "harmless" } : { kind: "lost" };
}

/** The terms that a word probably means; undefined: unknown. */
function termsOf(word: string, context: WordContext, depth: number): ReadTerm[] | undefined {
  const whole = context.isDead && depth === 0 ? undefined : readTerm(word);
  if (whole) return [whole];
  if (depth >= MAX_DEPTH) return undefined;
  const attempts = [
    splitAt(word, context.seams ?? []),
    splitAtPunctuation(word),
    splitAtGlue(word),
    ...corrections(word).map((text) => [text]),
  ];
  for (const parts of attempts) {
    if (parts.length === 1 ? parts[0] === word : parts.length === 0) continue;
    const terms = parts.map((part) => termsOf(part, {}, depth + 1));
    if (terms.every((found) => found !== undefined)) return terms.flat();
  }
  return undefined;
}

function splitAt(word: string, seams: readonly number[]): string[] {
  const inside = seams.filter((seam) => seam > 0 && seam < word.length);
  return [0, ...inside].map((from, index) => word.slice(from, inside[index]));
}

/** Splits at commas, semicolons and quotation marks, which other lists use. */
function splitAtPunctuation(word: string): string[] {
  return word.split(/["'“”,;]+/).filter((part) => part !== "");
}

/** `include:a.exampleip4:192.0.2.1`, `ip4:192.0.2.1-all`. */
function splitAtGlue(word: string): string[] {
  const [, head = "", value = ""] = /^([-+~?]?[a-z0-9]+[:=])(.*)$/is.exec(word) ?? [];
  if (head === "") return [word];
  const [first = "", ...others] = value.split(GLUED);
  return [`${head}${first}`, ...others];
}

/** Candidates for a single term, the most likely first. */
function corrections(word: string): string[] {
  const all = /^([-+~?_–—−]?)al{1,3}[.!]*$/i.exec(word);
  if (all) return [`${(all[1] ?? "").replace(/[_–—−]/, "-")}all`];
  if (isNetwork(word)) return [networkTerm("", word)];
  const [, sign = "", name = "", value = ""] = /^([-+~?]?)([a-z0-9_-]+)[:=](.+)$/i.exec(word) ?? [];
  const kind = meantName(name, value);
  if (kind === undefined) return hostsWithPrefix(word);
  if (kind === "network") return [networkTerm(sign, value)];
  if (kind === "redirect") return [`redirect=${withoutEmptyLabels(value)}`];
  return [...hostsWithPrefix(`${sign}${kind}:${value}`), `${sign}${kind}:${withoutEmptyLabels(value)}`];
}

/** `a/33`, `mx:example.com/033`. */
function hostsWithPrefix(word: string): string[] {
  const [, start, ip4, ip6] =
    /^([-+~?]?(?:a|mx)(?::[^/]+)?)(?:\/(\d{0,3}))?(?:\/\/(\d{0,3}))?$/i.exec(word) ?? [];
  if (start === undefined) return [];
  const bits = (text: string | undefined, most: number, slashes: string) =>
    text === undefined ? "" : `${slashes}${bitsOf(text, most)}`;
  return [`${start}${bits(ip4, BITS.ip4, "/")}${bits(ip6, BITS.ip6, "//")}`];
}

function meantName(name: string, value: string): string | undefined {
  const small = name.toLowerCase();
  if (
    isNetwork(value) &&
    (ADDRESS_KIND.test(small) || MECHANISM.test(small) || isSlipOf(small, ["ip4", "ip6", "ipv4"]))
  )
    return "network";
  if (MECHANISM.test(small) || small === "redirect") return small;
  if (!isName(value)) return undefined;
  return ["include", "redirect", "exists"].find((known) => isSlipOf(small, [known]));
}

function networkTerm(sign: string, text: string): string {
  const short = isShortNetwork(text) ? shortNetwork(text) : undefined;
  const [address = "", length] = (short ?? text).split("/");
  const kind = isIP(address) === 6 ? "ip6" : "ip4";
  return `${sign}${kind}:${address}${length === undefined ? "" : `/${bitsOf(length, BITS[kind])}`}`;
}

/**
 * A prefix length that is too long or missing names one address, so that the correction never allows more than the
 * author meant.
 */
function bitsOf(text: string, most: number): number {
  return text === "" ? most : Math.min(Number(text), most);
}

/** The term of a valid word, unless it is a modifier that is meant as a mechanism. */
function readTerm(word: string): ReadTerm | undefined {
  const reading = parseTerm(word);
  if (!("value" in reading)) return undefined;
  const term = reading.value;
  if (term.kind === "unknown" && isMeantAsMechanism(word, term.name)) return undefined;
  if (!hasPossibleName(term)) return undefined;
  return { text: word, term };
}

function hasPossibleName(term: SpfTerm): boolean {
  const name = "domain" in term && term.domain ? constantName(term.domain) : undefined;
  return name === undefined || (isWellFormedName(name) && !name.includes(":"));
}

function isRepeatedVersion(term: SpfTerm): boolean {
  return term.kind === "unknown" && /^v$/i.test(term.name);
}
