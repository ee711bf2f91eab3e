import { setImmediate as nextTurn } from "node:timers/promises";
import type { DnsFailure, DnsResult } from "../../dns/records.ts";
import { isSpf } from "../../message/spf/merge-spf.ts";
import { NO_PHRASE, type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import type { Evidence } from "../check-result.ts";
import { shownRecords } from "../dns-evidence.ts";
import { BUDGET_REASON, type ProbeDns } from "../probe-dns.ts";
import { findPassing } from "./find-passing.ts";
import { constantName, isWellFormedName } from "./macro-string.ts";
import { type PlacedTerm, parseSpf } from "./parse-spf.ts";
import { shorten } from "./shown-terms.ts";
import { MAX_EXCHANGES } from "./spf-term.ts";
import type { SpfBranch, SpfFinding, SpfNode, SpfTree } from "./spf-tree.ts";

interface Walk {
  readonly dns: ProbeDns;
  /** Completely read records, by name. */
  readonly nodes: Map<string, SpfNode>;
  readonly findings: SpfFinding[];
  readonly evidence: Map<string, Evidence>;
}

/** Position of a walk. */
interface Position {
  /** From the domain's own name on. */
  readonly names: readonly string[];
  readonly trail: readonly string[];
}

type Asked = "TXT" | "MX" | "A" | "AAAA";

/** A chain of this many records is far beyond ten lookups, and each takes time. */
const MAX_DEPTH = 20;
/** Records that include each other twice produce huge, useless numbers. */
const MAX_COUNT = 1_000_000;
const CURRENT_NAME = ["a", "mx", "ptr"];

/**
 * Walks through all records that the SPF record of a domain references, and counts by RFC 7208 section 4.6.4. It
 * stops neither at a match nor at a limit. A name with macros counts but is not queried. Exchanges of `mx` are not
 * queried either: the section counts the queries of terms. Each record is read once, so the budget of `dns` bounds
 * the walk. It yields to other work of the thread between two records.
 */
export async function walkSpf(domain: string, dns: ProbeDns): Promise<SpfTree> {
  const walk: Walk = { dns, nodes: new Map(), findings: [], evidence: new Map() };
  const answer = await ask(walk, domain, "TXT");
  const texts = textsOf(answer);
  const common = () => ({
    texts,
    seams: seamsOf(answer),
    nodes: walk.nodes,
    findings: walk.findings,
    evidence: [...walk.evidence.values()],
  });
  if (answer.kind === "failed") return { outcome: "unknown", reason: answer.reason, ...common() };
  const [text, ...others] = texts.filter(isSpf);
  if (text === undefined) return { outcome: "none", ...common() };
  if (others.length > 0) return { outcome: "several", ...common() };
  const root = await readRecord(walk, text, { names: [nameKey(domain)], trail: [] });
  return { outcome: "record", root, ...common() };
}

/** Walks through an unpublished record as if it were published. */
export async function walkText(domain: string, text: string, dns: ProbeDns): Promise<SpfTree> {
  const walk: Walk = { dns, nodes: new Map(), findings: [], evidence: new Map() };
  const root = await readRecord(walk, text, { names: [nameKey(domain)], trail: [] });
  const { nodes, findings, evidence } = walk;
  const found = { findings, evidence: [...evidence.values()] };
  return { outcome: "record", root, texts: [text], seams: [[]], nodes, ...found };
}

async function readRecord(walk: Walk, text: string, position: Position): Promise<SpfNode> {
  await nextTurn();
  const name = position.names.at(-1) ?? "";
  const record = parseSpf(text);
  for (const kind of ["fault", "doubt"] as const)
    for (const { text: word, offset, message, section } of record[`${kind}s`]) {
      const place = phrase("spf.position", { position: offset + 1, section });
      report(walk, kind, position, word, phrases(message, place));
    }
  const active = activeTerms(record.terms);
  // All first queries of a record start at once, so that the depth of the tree determines the duration.
  for (const placed of active) firstQuery(walk, placed, name);
  const branches: SpfBranch[] = [];
  const allows: string[] = [];
  let end: SpfNode["end"] = "none";
  for (const placed of active) {
    const { term, text: word } = placed;
    const branch = isCounted(term) ? await follow(walk, placed, position) : undefined;
    if (branch) branches.push(branch);
    const passes = "qualifier" in term && term.qualifier === "+";
    if (passes && term.kind !== "all") allows.push(word);
    if (term.kind === "all") end = term.qualifier;
    if (term.kind === "redirect") {
      const target = walk.nodes.get(targetName(placed, name) ?? "");
      end =
        target?.end ?? (branch?.state === "varies" || branch?.state === "unknown" ? branch.state : "none");
      allows.push(...(target?.allows ?? []));
    }
  }
  const lookups = total(branches.map((branch) => branch.lookups));
  const voids = total(branches.map((branch) => branch.voids));
  const passing = findPassing(active, (placed) => walk.nodes.get(targetName(placed, name) ?? ""));
  const node = { name, text, record, branches, lookups, voids, end, allows, ...passing };
  walk.nodes.set(name, node);
  return node;
}

/** The terms that receivers reach: RFC 7208 sections 5.1 and 6.1. */
export function activeTerms(terms: readonly PlacedTerm[]): PlacedTerm[] {
  const end = terms.findIndex(({ term }) => term.kind === "all");
  if (end >= 0) return terms.slice(0, end + 1).filter(({ term }) => term.kind !== "redirect");
  const redirect = terms.find(({ term }) => term.kind === "redirect");
  const mechanisms = terms.filter(({ term }) => term.kind !== "redirect");
  return redirect ? [...mechanisms, redirect] : mechanisms;
}

type Counted = PlacedTerm["term"] & { readonly kind: SpfBranch["kind"] };

function isCounted(term: PlacedTerm["term"]): term is Counted {
  return ["include", "redirect", "a", "mx", "ptr", "exists"].includes(term.kind);
}

async function follow(walk: Walk, placed: PlacedTerm, position: Position): Promise<SpfBranch> {
  const { term, text, offset } = placed;
  const { kind } = term as Counted;
  const branch = (state: SpfBranch["state"], more: Partial<SpfBranch> = {}): SpfBranch => ({
    kind,
    text,
    offset,
    state,
    lookups: 1,
    voids: state === "void" ? 1 : 0,
    ...more,
  });
  const note = (found: SpfFinding["kind"], message: Phrase = NO_PHRASE, type?: Asked) =>
    report(walk, found, position, text, message, type);
  if (kind === "ptr") {
    note("ptr");
    return branch("varies");
  }
  const name = targetName(placed, position.names.at(-1) ?? "");
  if (name === undefined) {
    note("varies");
    return branch("varies");
  }
  if (kind === "include" || kind === "redirect")
    return followInto(walk, { text, name, position: position, branch, note });
  // RFC 7208 section 4.8: nothing can be queried, so nothing matches.
  if (!isWellFormedName(name)) return branch("found");
  const types: readonly Asked[] = kind === "mx" ? ["MX"] : kind === "a" ? ["A", "AAAA"] : ["A"];
  for (const type of types) {
    const answer = await ask(walk, name, type);
    if (answer.kind === "failed") {
      note("unknown", failureOf(name, type, answer), type);
      return branch("unknown");
    }
    if (answer.kind !== "records") continue;
    if (kind !== "mx" || answer.records.length <= MAX_EXCHANGES) return branch("found");
    note("exchanges", phrase("spf.exchanges", { name, count: answer.records.length }), "MX");
    return branch("broken");
  }
  note("void", NO_PHRASE, types[0]);
  return branch("void");
}

interface Step {
  readonly text: string;
  readonly name: string;
  readonly position: Position;
  branch(state: SpfBranch["state"], more?: Partial<SpfBranch>): SpfBranch;
  note(kind: SpfFinding["kind"], message?: Phrase, type?: Asked): void;
}

async function followInto(walk: Walk, { text, name, position, branch, note }: Step): Promise<SpfBranch> {
  // A host name contains no colon: the space before the next mechanism is missing.
  if (!isWellFormedName(name) || name.includes(":")) {
    note("missing", phrase("spf.name_invalid", { name: shorten(name) }));
    return branch("dead");
  }
  if (position.names.includes(name)) {
    note("loop", phrase("spf.loop", { name }));
    return branch("dead", { isCircle: true });
  }
  const former = walk.nodes.get(name);
  if (former) return branch(stateOf(former), countsOf(former));
  if (position.names.length >= MAX_DEPTH) {
    note("unknown", phrase("spf.too_deep", { count: MAX_DEPTH }), "TXT");
    return branch("unknown");
  }
  const answer = await ask(walk, name, "TXT");
  if (answer.kind === "failed") {
    note("unknown", failureOf(name, "TXT", answer), "TXT");
    return branch("unknown");
  }
  const [record, ...others] = textsOf(answer).filter(isSpf);
  if (record === undefined) {
    note("missing", phrase("spf.name_missing", { name }), "TXT");
    const isVoid = answer.kind !== "records";
    if (isVoid) note("void", NO_PHRASE, "TXT");
    return branch("dead", { voids: isVoid ? 1 : 0 });
  }
  if (others.length > 0) {
    note("several", phrase("spf.name_several", { name, count: others.length + 1 }), "TXT");
    return branch("broken");
  }
  const below = { names: [...position.names, name], trail: [...position.trail, text] };
  const node = await readRecord(walk, record, below);
  return branch(stateOf(node), { ...countsOf(node), node });
}

function stateOf({ record }: SpfNode): SpfBranch["state"] {
  return record.faults.length > 0 ? "broken" : "found";
}

function countsOf({ lookups, voids, open }: SpfNode): Partial<SpfBranch> {
  return { lookups: total([1, lookups]), voids, ...(open !== undefined && { open }) };
}

/** Target of a term, in normalized form; undefined: it depends on the mail. */
export function targetName({ term }: PlacedTerm, current: string): string | undefined {
  const spec = "domain" in term ? term.domain : undefined;
  if (!spec) return CURRENT_NAME.includes(term.kind) ? current : undefined;
  const name = constantName(spec);
  return name === undefined ? undefined : nameKey(name);
}

function firstQuery({ dns }: Walk, placed: PlacedTerm, current: string): void {
  const { kind } = placed.term;
  const name = isCounted(placed.term) && kind !== "ptr" ? targetName(placed, current) : undefined;
  if (name === undefined || !isWellFormedName(name)) return;
  const type = kind === "mx" ? "MX" : kind === "include" || kind === "redirect" ? "TXT" : "A";
  void dns.lookUp(name, type);
}

async function ask(walk: Walk, name: string, type: Asked): Promise<DnsResult<unknown>> {
  const { answer, evidence } = await walk.dns.lookUp(name, type);
  // One entry beyond the budget is enough.
  const isOver = answer.kind === "failed" && answer.code === "budget";
  const key = isOver ? answer.reason : `${type} ${name}`;
  if (walk.evidence.has(key)) return answer;
  // Other TXT records of a foreign name are useless. Those of the domain itself, which comes first, are kept.
  const isOthers = type === "TXT" && walk.evidence.size > 0;
  const data = isOthers && answer.kind === "records" ? shownSpf(answer.records) : evidence.data;
  walk.evidence.set(key, { ...evidence, data });
  return answer;
}

function shownSpf(records: readonly unknown[]): readonly string[] {
  return shownRecords(
    "TXT",
    records.filter((one) => isSpf(textOf(one))),
  );
}

function textsOf(answer: DnsResult<unknown>): string[] {
  if (answer.kind !== "records") return [];
  return answer.records.map(textOf);
}

function seamsOf(answer: DnsResult<unknown>): number[][] {
  if (answer.kind !== "records") return [];
  return answer.records.map((record) => {
    let length = 0;
    return (Array.isArray(record) ? record.slice(0, -1) : []).map((part: string) => (length += part.length));
  });
}

function textOf(record: unknown): string {
  return Array.isArray(record) ? record.join("") : "";
}

function report(
  { findings }: Walk,
  kind: SpfFinding["kind"],
  { trail }: Position,
  text: string,
  message: Phrase,
  type?: Asked,
): void {
  findings.push({ kind, trail, text, message, ...(type !== undefined && { type }) });
}

function failureOf(name: string, type: Asked, { reason }: DnsFailure): Phrase {
  if (reason === BUDGET_REASON) return phrase("spf.over_budget");
  return phrase("spf.lookup_failed", { name, type, reason });
}

function nameKey(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

function total(numbers: readonly number[]): number {
  return Math.min(
    MAX_COUNT,
    numbers.reduce((sum, one) => sum + one, 0),
  );
}
