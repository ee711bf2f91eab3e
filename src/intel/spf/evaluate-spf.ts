import { isIPv6 } from "node:net";
import type { Evidence } from "../check-result.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { hasAddress, networkRange } from "./address-set.ts";
import { isWellFormedName } from "./macro-string.ts";
import type { PlacedTerm } from "./parse-spf.ts";
import { MAX_EXCHANGES, MAX_LOOKUPS, MAX_VOIDS, type Qualifier, type SpfTerm } from "./spf-term.ts";
import type { SpfNode } from "./spf-tree.ts";
import { activeTerms, targetName } from "./walk-spf.ts";

/** SPF result for one address (RFC 7208 section 2.6); `unknown`: it depends on the mail. */
export type SpfResult = "pass" | "fail" | "softfail" | "neutral" | "permerror" | "temperror" | "unknown";

export interface SpfEvaluation {
  readonly result: SpfResult;
  /** The deciding term, after the terms that lead to it. Missing: no term has decided. */
  readonly by?: readonly string[];
}

interface Evaluation {
  readonly nodes: ReadonlyMap<string, SpfNode>;
  readonly address: string;
  readonly dns: ProbeDns;
  readonly evidence: Evidence[];
  lookups: number;
  voids: number;
}

type HostTerm =
  | Extract<SpfTerm, { readonly kind: "a" | "mx" }>
  | Extract<SpfTerm, { readonly kind: "include" | "exists" }>;
type Match = "match" | "no_match" | "permerror" | "temperror" | "unknown";

const RESULTS: Readonly<Record<Qualifier, SpfResult>> = {
  "+": "pass",
  "-": "fail",
  "~": "softfail",
  "?": "neutral",
};

/**
 * Evaluates SPF for one sending address as a receiver does: it stops at the first match. A limit that is not reached
 * before is no fault.
 * @param nodes the records of the walk by their names
 */
export async function evaluateSpf(
  root: SpfNode,
  { nodes, address, dns }: Pick<Evaluation, "nodes" | "address" | "dns">,
): Promise<SpfEvaluation & { readonly evidence: readonly Evidence[] }> {
  const evaluation: Evaluation = { nodes, address, dns, evidence: [], lookups: 0, voids: 0 };
  const found = await evaluateNode(root, evaluation);
  return { ...found, evidence: evaluation.evidence };
}

async function evaluateNode(node: SpfNode, evaluation: Evaluation): Promise<SpfEvaluation> {
  if (node.record.faults.length > 0) return { result: "permerror" };
  for (const placed of activeTerms(node.record.terms)) {
    const { term, text } = placed;
    if (term.kind === "redirect") {
      if (!countLookup(evaluation)) return { result: "permerror", by: [text] };
      const target = evaluation.nodes.get(targetName(placed, node.name) ?? "");
      if (!target) return { result: missing(placed, node), by: [text] };
      const { result, by = [] } = await evaluateNode(target, evaluation);
      return { result, by: [text, ...by] };
    }
    if (!("qualifier" in term)) continue;
    const { match, by = [] } = await matchOf(placed, node, evaluation);
    if (match === "no_match") continue;
    return { result: match === "match" ? RESULTS[term.qualifier] : match, by: [text, ...by] };
  }
  return { result: "neutral" };
}

interface Matching {
  readonly match: Match;
  readonly by?: readonly string[];
}

async function matchOf(placed: PlacedTerm, node: SpfNode, evaluation: Evaluation): Promise<Matching> {
  const { term } = placed;
  switch (term.kind) {
    case "all":
      return { match: "match" };
    case "ip4":
    case "ip6":
      return { match: isWithin(evaluation.address, term.network, term.bits) ? "match" : "no_match" };
    case "include":
      return matchInclude(placed, node, evaluation);
    case "ptr":
      return { match: countLookup(evaluation) ? "unknown" : "permerror" };
    case "exists":
    case "a":
    case "mx": {
      if (!countLookup(evaluation)) return { match: "permerror" };
      const name = targetName(placed, node.name);
      if (name === undefined) return { match: "unknown" };
      if (!isWellFormedName(name)) return { match: "no_match" };
      return { match: await matchName(term, name, evaluation) };
    }
    default:
      return { match: "no_match" };
  }
}

async function matchInclude(placed: PlacedTerm, node: SpfNode, evaluation: Evaluation): Promise<Matching> {
  if (!countLookup(evaluation)) return { match: "permerror" };
  const target = evaluation.nodes.get(targetName(placed, node.name) ?? "");
  if (!target) return { match: missing(placed, node) };
  const { result, by = [] } = await evaluateNode(target, evaluation);
  // RFC 7208 section 5.2.
  if (result === "pass") return { match: "match", by };
  const isAnswer = result === "fail" || result === "softfail" || result === "neutral";
  return isAnswer ? { match: "no_match" } : { match: result, by };
}

/** A record that the walk has not read: it does not exist, or its lookup failed. */
function missing(placed: PlacedTerm, { branches }: SpfNode): "permerror" | "temperror" | "unknown" {
  const state = branches.find(({ offset }) => offset === placed.offset)?.state;
  if (state === "unknown") return "temperror";
  return state === "varies" ? "unknown" : "permerror";
}

async function matchName(term: HostTerm, name: string, evaluation: Evaluation): Promise<Match> {
  const { address, dns } = evaluation;
  const type = isIPv6(address) && term.kind !== "exists" ? "AAAA" : "A";
  if (term.kind !== "mx") {
    const found = await addressesOf(name, type, evaluation);
    if (found === undefined) return "temperror";
    if (found.length === 0 && !countVoid(evaluation)) return "permerror";
    if (term.kind === "exists") return found.length > 0 ? "match" : "no_match";
    return found.some((one) => isWithin(address, one, bitsOf(term, address))) ? "match" : "no_match";
  }
  const { answer, evidence } = await dns.lookUp(name, "MX");
  evaluation.evidence.push(evidence);
  if (answer.kind === "failed") return "temperror";
  if (answer.kind !== "records") return countVoid(evaluation) ? "no_match" : "permerror";
  if (answer.records.length > MAX_EXCHANGES) return "permerror";
  const hosts = answer.records.map(({ exchange }) => exchange).filter(isWellFormedName);
  const found = await Promise.all(hosts.map((host) => addressesOf(host, type, evaluation)));
  if (found.flat().some((one) => one !== undefined && isWithin(address, one, bitsOf(term, address))))
    return "match";
  return found.includes(undefined) ? "temperror" : "no_match";
}

/** @returns undefined if the lookup failed */
async function addressesOf(
  name: string,
  type: "A" | "AAAA",
  { dns, evidence: all }: Evaluation,
): Promise<readonly string[] | undefined> {
  const { answer, evidence } = await dns.lookUp(name, type);
  all.push(evidence);
  if (answer.kind === "failed") return undefined;
  return answer.kind === "records" ? answer.records : [];
}

function bitsOf(term: HostTerm, address: string): number | undefined {
  if (term.kind !== "a" && term.kind !== "mx") return undefined;
  return isIPv6(address) ? term.ip6Bits : term.ip4Bits;
}

function isWithin(address: string, network: string, bits: number | undefined): boolean {
  const kind = isIPv6(network) ? "ip6" : "ip4";
  if (kind !== (isIPv6(address) ? "ip6" : "ip4")) return false;
  return hasAddress(networkRange(kind, network, bits), address);
}

function countLookup(evaluation: Evaluation): boolean {
  evaluation.lookups += 1;
  return evaluation.lookups <= MAX_LOOKUPS;
}

function countVoid(evaluation: Evaluation): boolean {
  evaluation.voids += 1;
  return evaluation.voids <= MAX_VOIDS;
}
