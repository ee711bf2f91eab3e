import type { Evidence } from "../check-result.ts";
import type { AddressSet } from "./address-set.ts";
import type { SpfRecord } from "./parse-spf.ts";
import type { Qualifier } from "./spf-term.ts";

/** A term that costs DNS lookups. */
export interface SpfBranch {
  readonly kind: "include" | "redirect" | "a" | "mx" | "ptr" | "exists";
  /** As it is written. */
  readonly text: string;
  readonly offset: number;
  /**
   * - `found`: there is what was asked for
   * - `void`: there is nothing
   * - `dead`: it leads to no record, or in a circle: a permerror
   * - `broken`: there is something that makes a permerror, and somebody may repair it
   * - `varies`: it depends on the mail, or on its way
   * - `unknown`: it could not be looked up
   */
  readonly state: "found" | "void" | "dead" | "broken" | "varies" | "unknown";
  /** With all that is below. */
  readonly lookups: number;
  readonly voids: number;
  /** What `include` and `redirect` lead to; missing: nothing, or it stands elsewhere in the tree already. */
  readonly node?: SpfNode;
  /** How everybody passes through this; missing: not everybody does. */
  readonly open?: string;
  /** It leads back to a record that leads to it. */
  readonly isCircle?: true;
}

/** A record, and what it leads to. */
export interface SpfNode {
  readonly name: string;
  readonly text: string;
  readonly record: SpfRecord;
  /** Those that receivers come to: nothing behind `all`, and `redirect` only without it. */
  readonly branches: readonly SpfBranch[];
  /** Of all branches (RFC 7208 section 4.6.4). */
  readonly lookups: number;
  readonly voids: number;
  /**
   * What becomes of everybody else: what `all` says, or that of the record that `redirect` leads to; `none`: nothing
   * says it; `varies`, `unknown`: what `redirect` leads to does, or is.
   */
  readonly end: Qualifier | "none" | "varies" | "unknown";
  /** How everybody, or nearly everybody, passes; missing: not everybody does. */
  readonly open?: string;
  /** Addresses that pass by number, and not by what `a`, `mx`, `ptr` or `exists` leads to. */
  readonly passing: AddressSet;
  /** Terms by which somebody passes, other than `all`. */
  readonly allows: readonly string[];
}

/** Something that was found on the way through the tree. */
export interface SpfFinding {
  /**
   * - `fault`, `doubt`: of a record's text
   * - `missing`: `include` or `redirect` leads to a name without a record (RFC 7208 sections 5.2 and 6.1)
   * - `several`: it leads to a name with several (section 4.5)
   * - `loop`: it leads back
   * - `exchanges`: `mx` leads to more than ten (section 4.6.4)
   * - `ptr`: section 5.5
   * - `void`: it leads to nothing (section 4.6.4)
   * - `varies`: it depends on the mail
   * - `unknown`: it could not be looked up
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
  /** The terms that lead to the record, from the domain's own one on; empty: it is that one. */
  readonly trail: readonly string[];
  readonly text: string;
  /** A sentence. */
  readonly message: string;
  /** What was asked for; missing: nothing was. */
  readonly type?: "TXT" | "MX" | "A" | "AAAA";
}

/** All that an SPF record leads to. */
export interface SpfTree {
  /**
   * - `record`: the domain has one, and `root` is it
   * - `none`, `several`: as many as that
   * - `unknown`: they could not be looked up
   */
  readonly outcome: "record" | "none" | "several" | "unknown";
  readonly root?: SpfNode;
  /** All TXT records of the domain, strings joined. */
  readonly texts: readonly string[];
  /** For each of `texts` the places at which two of its strings meet. */
  readonly seams: readonly (readonly number[])[];
  /** Every record that was read, by its name. */
  readonly nodes: ReadonlyMap<string, SpfNode>;
  readonly reason?: string;
  readonly findings: readonly SpfFinding[];
  /** One for each lookup, that of the domain first. */
  readonly evidence: readonly Evidence[];
}
