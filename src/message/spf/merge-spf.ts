import { addressAllowed, isAddressRange } from "../../shared/address-range.ts";

/** Parsing and merging of SPF records (RFC 7208), as texts, without DNS queries. */

export function isSpf(value: string): boolean {
  return /^v=spf1(?: |$)/i.test(value);
}

interface SpfTerms {
  /** Mechanisms except `all`, with their qualifiers, in order. */
  readonly mechanisms: readonly string[];
  /** The first `all`, with its qualifier. */
  readonly all: string | undefined;
  /** `redirect=…` and `exp=…`. */
  readonly modifiers: readonly string[];
}

function termsOf(record: string): SpfTerms {
  const words = record.split(/ +/).slice(1).filter(Boolean);
  const isAll = (word: string) => /^[+\-~?]?all$/i.test(word);
  const isModifier = (word: string) => /^[a-z][a-z0-9_.-]*=/i.test(word);
  return {
    mechanisms: words.filter((word) => !isAll(word) && !isModifier(word)),
    all: words.find(isAll),
    modifiers: words.filter(isModifier),
  };
}

/** The wanted mechanisms that a record itself does not have. */
export function missingTerms(record: string, wanted: readonly string[]): string[] {
  const { mechanisms } = termsOf(record);
  return wanted.filter((term) => !mechanisms.some((found) => covers(found, term)));
}

/** Names to which a record refers: each may have the missing mechanisms. */
export function leadsTo(record: string): string[] {
  const { mechanisms, modifiers, all } = termsOf(record);
  const includes = mechanisms.flatMap((word) => /^\+?include:(.+)$/i.exec(word)?.[1] ?? []);
  // RFC 7208 section 6.1: beside `all` it has no effect.
  const redirects = all ? [] : modifiers.flatMap((word) => /^redirect=(.+)$/i.exec(word)?.[1] ?? []);
  return [...includes, ...redirects].filter((name) => !name.includes("%"));
}

/** True if the record itself allows all senders. */
export function allowsAll(record: string): boolean {
  return /^\+?all$/i.test(termsOf(record).all ?? "");
}

/**
 * Merges records, with the wanted mechanisms, into one: a domain may have only one (RFC 7208 section 3.2). Mechanisms keep
 * their order; the first record with an end decides its strictness.
 */
export function mergeSpf(records: readonly string[], wanted: readonly string[]): string {
  const parts = records.map(termsOf).map((part) => (records.length > 1 ? includingRedirect(part) : part));
  const byWord = new Map<string, string>();
  for (const word of parts.flatMap((part) => part.mechanisms))
    byWord.set(word.toLowerCase(), byWord.get(word.toLowerCase()) ?? word);
  const mechanisms = [...byWord.values()];
  for (const term of wanted) if (!mechanisms.some((found) => covers(found, term))) mechanisms.push(term);
  const all = parts.map((part) => part.all).find((one) => one !== undefined);
  const modifiers = [...new Set(parts.flatMap((part) => part.modifiers))];
  // A record may redirect once: only one that already ends with a redirect.
  const redirect = modifiers.find((word) => /^redirect=/i.test(word));
  const others = modifiers.filter((word) => !/^redirect=/i.test(word));
  const end = all ?? redirect ?? "~all";
  return ["v=spf1", ...mechanisms, end, ...others].join(" ");
}

/** Beside the `all` of another record a redirect has no effect; an include allows the same senders. */
function includingRedirect(part: SpfTerms): SpfTerms {
  const redirects = part.modifiers.flatMap((word) => /^redirect=(.+)$/i.exec(word)?.[1] ?? []);
  if (part.all !== undefined || redirects.length === 0) return part;
  return {
    ...part,
    mechanisms: [...part.mechanisms, ...redirects.map((name) => `include:${name}`)],
    modifiers: part.modifiers.filter((word) => !/^redirect=/i.test(word)),
  };
}

function covers(found: string, wanted: string): boolean {
  const mechanism = found.replace(/^\+/, "").toLowerCase();
  const term = wanted.replace(/^\+/, "").toLowerCase();
  if (mechanism === term) return true;
  const range = /^ip[46]:(.+)$/.exec(mechanism)?.[1];
  const inner = /^ip[46]:(.+)$/.exec(term)?.[1];
  if (!range || !inner || !isAddressRange(range) || !isAddressRange(inner)) return false;
  const [address = "", bits] = inner.split("/");
  const [, rangeBits] = range.split("/");
  const whole = inner.includes(":") ? 128 : 32;
  return addressAllowed([range], address) && Number(rangeBits ?? whole) <= Number(bits ?? whole);
}
