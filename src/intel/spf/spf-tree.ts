import type { Phrase } from "../../shared/phrase.ts";
import type { Evidence } from "../check-result.ts";
import type { AddressSet } from "./address-set.ts";
import type { SpfRecord } from "./parse-spf.ts";
import type { Qualifier } from "./spf-term.ts";

/** A term that costs DNS lookups. */
export interface SpfBranch {
  readonly kind: "include" | "redirect" | "a" | "mx" | "ptr" | "exists";
  /** As written. */
  readonly text: string;
  readonly offset: number;
  /**
   * - `found`: the lookup found records
   * - `void`: the lookup found none
   * - `dead`: it leads to no record, or in a loop: a permerror
   * - `broken`: a record exists but makes a permerror, and its operator may repair it
   * - `varies`: it depends on the mail, or on its route
   * - `unknown`: the lookup failed
   */
  readonly state: "found" | "void" | "dead" | "broken" | "varies" | "unknown";
  /** Including all branches below. */
  readonly lookups: number;
  readonly voids: number;
  /** Record that `include` or `redirect` references. Missing: none, or it already appears elsewhere in the tree. */
  readonly node?: SpfNode;
  /** Path by which all senders pass. Missing: not all do. */
  readonly open?: string;
  /** It references a record that leads to it. */
  readonly isCircle?: true;
}

/** A record, and the records that it references. */
export interface SpfNode {
  readonly name: string;
  readonly text: string;
  readonly record: SpfRecord;
  /** Branches that receivers reach: nothing after `all`, and `redirect` only without it. */
  readonly branches: readonly SpfBranch[];
  /** Sum of all branches (RFC 7208 section 4.6.4). */
  readonly lookups: number;
  readonly voids: number;
  /**
   * Policy for all other senders: that of `all`, or of the record that `redirect` references. `none`: there is none.
   * `varies`, `unknown`: the target of `redirect` varies or is unknown.
   */
  readonly end: Qualifier | "none" | "varies" | "unknown";
  /** Path by which all or nearly all senders pass. Missing: not all do. */
  readonly open?: string;
  /** Addresses that pass by number, without the targets of `a`, `mx`, `ptr` and `exists`. */
  readonly passing: AddressSet;
  /** Terms that let senders pass, other than `all`. */
  readonly allows: readonly string[];
}

/** A finding of the walk through the tree. */
export interface SpfFinding {
  /**
   * - `fault`, `doubt`: in a record's text
   * - `missing`: `include` or `redirect` references a name without a record (RFC 7208 sections 5.2 and 6.1)
   * - `several`: it references a name with several records (section 4.5)
   * - `loop`: it leads back to itself
   * - `exchanges`: `mx` finds more than ten hosts (section 4.6.4)
   * - `ptr`: section 5.5
   * - `void`: the lookup finds no records (section 4.6.4)
   * - `varies`: it depends on the mail
   * - `unknown`: the lookup failed
   */
  readonly kind:
    | "fault"
    | "doubt"
    | "missing"
    | "several"
    | "loop"
    | "exchanges"
    | "ptr"
    | "void"
    | "varies"
    | "unknown";
  /** The terms that lead to the record, from the domain's own record on. Empty: the domain's own record. */
  readonly trail: readonly string[];
  readonly text: string;
  /** A sentence. Empty for `ptr`, `void` and `varies`: their place says all. */
  readonly message: Phrase;
  /** Queried type. Missing: no query. */
  readonly type?: "TXT" | "MX" | "A" | "AAAA";
}

/** All records that an SPF record references. */
export interface SpfTree {
  /**
   * - `record`: the domain has one record, which is `root`
   * - `none`, `several`: the domain has no or several records
   * - `unknown`: the lookup failed
   */
  readonly outcome: "record" | "none" | "several" | "unknown";
  readonly root?: SpfNode;
  /** All TXT records of the domain, strings joined. */
  readonly texts: readonly string[];
  /** For each of `texts`, the offsets at which two of its strings meet. */
  readonly seams: readonly (readonly number[])[];
  /** Every record that was read, by its name. */
  readonly nodes: ReadonlyMap<string, SpfNode>;
  /** Why the lookup failed. Missing: it did not. */
  readonly reason?: string;
  readonly findings: readonly SpfFinding[];
  /** One entry for each lookup, the domain's first. */
  readonly evidence: readonly Evidence[];
}
