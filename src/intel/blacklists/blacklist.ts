import type { CatalogueEntry } from "../catalogue.ts";

/** What a list has entries of. */
export type SubjectKind = "ip4" | "ip6" | "domain";

/**
 * Which answers are listings, and what each means.
 *
 * - `addresses`: exactly these
 * - `bits`: 127.0.0.x, each bit of x by itself; one of `refusalBits` makes it a refusal
 * - `any`: all of 127/8 that is no refusal
 */
export type Codes =
  | { readonly kind: "addresses"; readonly meanings: Readonly<Record<string, string>> }
  | {
      readonly kind: "bits";
      readonly meanings: Readonly<Record<number, string>>;
      readonly refusalBits: number;
    }
  | { readonly kind: "any"; readonly meaning: string };

/** What RFC 5782 section 5 wants every list to answer, as long as it works. */
export interface TestEntry {
  readonly listed: string;
  readonly unlisted: string;
}

export interface Blacklist {
  /** Never changes: checks are called `bl.` and this, and states are stored by it. */
  readonly id: string;
  readonly name: string;
  /** `<key>` stands where the operator's key goes. */
  readonly zone: string;
  /** Its kinds of entries, each with the test entry. */
  readonly tests: Readonly<Partial<Record<SubjectKind, TestEntry>>>;
  /** What is asked for a domain: its registrable name, or the whole name. */
  readonly domainName: "registrable" | "host";
  readonly codes: Codes;
  /** Answers that mean a refusal, besides those of `refusalOf` that are so with every list. */
  readonly refusals: Readonly<Record<string, string>>;
  /** Points in the score; 0: it only informs. */
  readonly weight: CatalogueEntry["weight"];
  readonly terms: { readonly kind: "free" | "key" | "registration"; readonly url: string };
  /** It is asked unless the operator switches it off. */
  readonly isOnByDefault: boolean;
  readonly delistUrl: string;
  /** What to know before asking for removal; missing: nothing. */
  readonly delistAdvice?: string;
  /** Queries within any 24 hours, of all kinds; the operator may set another number. */
  readonly queriesPerDay: number;
  /** How often a subject is looked up, where the budget allows it. */
  readonly periodMs: number;
}

/** A listing's code, as the list has answered, and what it means. */
export interface ListingCode {
  readonly code: string;
  readonly meaning: string;
}

export const KEY_PLACE = "<key>";

export function kindsOf(list: Blacklist): readonly SubjectKind[] {
  return (["ip4", "ip6", "domain"] as const).filter((kind) => list.tests[kind] !== undefined);
}
