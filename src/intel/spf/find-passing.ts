import {
  type AddressSet,
  EVERY_ADDRESS,
  NO_ADDRESS,
  networkRange,
  shareOf,
  union,
  without,
} from "./address-set.ts";
import type { PlacedTerm } from "./parse-spf.ts";
import { matchesMost, OPEN_SHARE, type SpfTerm } from "./spf-term.ts";
import type { SpfNode } from "./spf-tree.ts";

export type SpfPassing = Pick<SpfNode, "passing" | "open">;

const MAX_NAMED = 3;
const IP4_BITS = 32;
/** Number of free bits in the global unicast addresses, which share their first three bits. */
const GLOBAL_IP6_BITS = 125;

/**
 * Finds the addresses that a record lets pass, in the order of its terms (RFC 7208 section 4.6.2), and whether they
 * are nearly all addresses of a family. Targets of `a` and `mx` are not queried: their prefix lengths limit the
 * number of addresses.
 * @param nodeOf the record that `include` or `redirect` references
 */
export function findPassing(
  terms: readonly PlacedTerm[],
  nodeOf: (placed: PlacedTerm) => SpfNode | undefined,
): SpfPassing {
  const target = (placed: PlacedTerm) => nodeOf(placed)?.passing ?? NO_ADDRESS;
  let passing: AddressSet = NO_ADDRESS;
  // From the last term to the first, adjacent terms with the same effect at once: an earlier match decides.
  for (const { allows, run } of runsOf(terms).toReversed()) {
    const matching = union(run.map((placed) => matchOf(placed.term) ?? target(placed)));
    passing = allows ? union([passing, matching]) : without(passing, matching);
  }
  const open = whyOpen(terms, passing, nodeOf);
  return { passing, ...(open !== undefined && { open }) };
}

function whyOpen(
  terms: readonly PlacedTerm[],
  passing: AddressSet,
  nodeOf: (placed: PlacedTerm) => SpfNode | undefined,
): string | undefined {
  const allowing = terms.filter(({ term }) => allowsSenders(term));
  for (const placed of allowing) {
    const open = nodeOf(placed)?.open;
    if (open !== undefined && isFollowed(placed.term)) return `${placed.text} › ${open}`;
  }
  const unplaced = allowing.map(({ term }) => unplacedShare(term));
  const { ip4, ip6 } = shareOf(passing);
  const isOpen =
    ip4 + sum(unplaced.map((one) => one.ip4)) >= OPEN_SHARE ||
    ip6 + sum(unplaced.map((one) => one.ip6)) >= OPEN_SHARE;
  if (!isOpen) return undefined;
  const wide = allowing.filter(({ term }) => matchesMost(term));
  const named = wide.length > 0 ? wide : allowing.filter(({ term }) => term.kind !== "all");
  const [all] = wide.filter(({ term }) => term.kind === "all");
  return (all ? [all] : named)
    .slice(0, MAX_NAMED)
    .map(({ text }) => text)
    .join(" ");
}

/** Addresses that match by number; undefined: the addresses of the referenced record. */
function matchOf(term: SpfTerm): AddressSet | undefined {
  switch (term.kind) {
    case "all":
      return EVERY_ADDRESS;
    case "ip4":
    case "ip6":
      return networkRange(term.kind, term.network, term.bits);
    case "include":
    case "redirect":
      return undefined;
    default:
      return NO_ADDRESS;
  }
}

function unplacedShare(term: SpfTerm): { readonly ip4: number; readonly ip6: number } {
  if (term.kind !== "a" && term.kind !== "mx") return { ip4: 0, ip6: 0 };
  const { ip4Bits = IP4_BITS, ip6Bits = 128 } = term;
  return { ip4: 2 ** -ip4Bits, ip6: Math.min(1, 2 ** (128 - ip6Bits - GLOBAL_IP6_BITS)) };
}

function runsOf(terms: readonly PlacedTerm[]) {
  const runs: { allows: boolean; run: PlacedTerm[] }[] = [];
  for (const placed of terms) {
    const { term } = placed;
    if (!("qualifier" in term) && term.kind !== "redirect") continue;
    const allows = allowsSenders(term);
    const last = runs.at(-1);
    if (last?.allows === allows) last.run.push(placed);
    else runs.push({ allows, run: [placed] });
  }
  return runs;
}

export function allowsSenders(term: SpfTerm): boolean {
  return term.kind === "redirect" || ("qualifier" in term && term.qualifier === "+");
}

function isFollowed({ kind }: SpfTerm): boolean {
  return kind === "include" || kind === "redirect";
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((before, one) => before + one, 0);
}
