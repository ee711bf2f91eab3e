import { formatMacroString, type MacroString } from "./macro-string.ts";

/** Longest record that is read, in characters: 16 times the length that RFC 7208 section 3.4 recommends. */
export const MAX_RECORD_LENGTH = 8_192;
/** Limits of one evaluation (RFC 7208 section 4.6.4): lookups, lookups that find nothing, hosts of one `mx`. */
export const MAX_LOOKUPS = 10;
export const MAX_VOIDS = 2;
export const MAX_EXCHANGES = 10;

/** Result of a match: pass, fail, softfail, neutral (RFC 7208 section 4.6.2). */
export type Qualifier = "+" | "-" | "~" | "?";

/** The terms of an SPF record (RFC 7208 sections 5 and 6). */
export type SpfTerm =
  | { readonly kind: "all"; readonly qualifier: Qualifier }
  | { readonly kind: "include" | "exists"; readonly qualifier: Qualifier; readonly domain: MacroString }
  | {
      readonly kind: "a" | "mx";
      readonly qualifier: Qualifier;
      /** Missing: the name of the record itself. */
      readonly domain?: MacroString;
      readonly ip4Bits?: number;
      readonly ip6Bits?: number;
    }
  | { readonly kind: "ptr"; readonly qualifier: Qualifier; readonly domain?: MacroString }
  | {
      readonly kind: "ip4" | "ip6";
      readonly qualifier: Qualifier;
      readonly network: string;
      readonly bits?: number;
    }
  | { readonly kind: "redirect" | "exp"; readonly domain: MacroString }
  /** A modifier without an effect (RFC 7208 section 6). */
  | { readonly kind: "unknown"; readonly name: string; readonly value: MacroString };

export function formatTerm(term: SpfTerm): string {
  switch (term.kind) {
    case "redirect":
    case "exp":
      return `${term.kind}=${formatMacroString(term.domain)}`;
    case "unknown":
      return `${term.name}=${formatMacroString(term.value)}`;
    default:
      return `${term.qualifier === "+" ? "" : term.qualifier}${term.kind}${argument(term)}`;
  }
}

/** The record as it is published. */
export function formatSpf(terms: readonly SpfTerm[]): string {
  return ["v=spf1", ...terms.map(formatTerm)].join(" ");
}

/** Networks this large count as all addresses: no domain sends from a sixteenth of a family. */
export const OPEN_SHARE = 1 / 16;
const OPEN_BITS = { ip4: 4, ip6: 7 } as const;

/** Whether nearly every address of a family matches, by the term alone and regardless of DNS. */
export function matchesMost(term: SpfTerm): boolean {
  const { ip4, ip6 } = OPEN_BITS;
  switch (term.kind) {
    case "all":
      return true;
    case "ip4":
      return (term.bits ?? 32) <= ip4;
    case "ip6":
      return (term.bits ?? 128) <= ip6;
    case "a":
    case "mx":
      return (term.ip4Bits ?? 32) <= ip4 || (term.ip6Bits ?? 128) <= ip6;
    default:
      return false;
  }
}

function argument(term: Exclude<SpfTerm, { kind: "redirect" | "exp" | "unknown" }>): string {
  if (term.kind === "all") return "";
  if (term.kind === "ip4" || term.kind === "ip6")
    return `:${term.network}${term.bits === undefined ? "" : `/${term.bits}`}`;
  const name = "domain" in term && term.domain ? `:${formatMacroString(term.domain)}` : "";
  if (term.kind !== "a" && term.kind !== "mx") return name;
  const ip4 = term.ip4Bits === undefined ? "" : `/${term.ip4Bits}`;
  const ip6 = term.ip6Bits === undefined ? "" : `//${term.ip6Bits}`;
  return `${name}${ip4}${ip6}`;
}
