import type { CatalogueEntry } from "../catalogue.ts";

/** Kinds of entries of a list. */
export type SubjectKind = "ip4" | "ip6" | "domain";

/**
 * Answers that are listings, with their meanings.
 *
 * - `addresses`: exactly these
 * - `bits`: 127.0.0.x, where each bit of x has a meaning; one of `refusalBits` makes the answer a refusal
 * - `any`: every address in 127/8 that is no refusal
 */
export type Codes =
  | { readonly kind: "addresses"; readonly meanings: Readonly<Record<string, string>> }
  | {
      readonly kind: "bits";
      readonly meanings: Readonly<Record<number, string>>;
      readonly refusalBits: number;
    }
  | { readonly kind: "any"; readonly meaning: string };

/** Entries that every working list must answer for (RFC 5782 section 5). */
export interface TestEntry {
  readonly listed: string;
  readonly unlisted: string;
}

export interface Blacklist {
  /** Never changes: check ids are `bl.` and this id, and stored states use it. */
  readonly id: string;
  readonly name: string;
  /** `<key>` is replaced with the operator's key. */
  readonly zone: string;
  /** Kinds of entries, each with its test entry. */
  readonly tests: Readonly<Partial<Record<SubjectKind, TestEntry>>>;
  /** Query name of a domain: its registrable name or the whole name. */
  readonly domainName: "registrable" | "host";
  readonly codes: Codes;
  /** Answers that mean a refusal, in addition to the common ones of `refusalOf`. */
  readonly refusals: Readonly<Record<string, string>>;
  /** Points in the score. 0: informational. */
  readonly weight: CatalogueEntry["weight"];
  readonly terms: { readonly kind: "free" | "key" | "registration"; readonly url: string };
  /** Hermod queries the list unless the operator disables it. */
  readonly isOnByDefault: boolean;
  readonly delistUrl: string;
  /** Advice for a removal request. Missing: none. */
  readonly delistAdvice?: string;
  /** Queries within any 24 hours, of all kinds. The operator can set another limit. */
  readonly queriesPerDay: number;
  /** Interval between checks of a subject, if the budget allows it. */
  readonly periodMs: number;
}

/** Code of a listing, as the list answered, with its meaning. */
export interface ListingCode {
  readonly code: string;
  readonly meaning: string;
}

export const KEY_PLACEHOLDER = "<key>";

export function kindsOf(list: Blacklist): readonly SubjectKind[] {
  return (["ip4", "ip6", "domain"] as const).filter((kind) => list.tests[kind] !== undefined);
}
