import { isSpf, mergeSpf } from "../../message/spf/merge-spf.ts";
import { phrase, phrases } from "../../shared/phrase.ts";
import { trimEnd } from "../../shared/trim-end.ts";
import type { DomainRole } from "../catalogue.ts";
import {
  type CheckResult,
  type Evaluation,
  type Evidence,
  expectedFields,
  type Fix,
  fixFields,
  observedFields,
} from "../check-result.ts";
import type { ProbeDns } from "../probe-dns.ts";
import {
  evaluateAfterAll,
  evaluateAll,
  evaluatePtr,
  evaluateRedirect,
  type Subject,
} from "./evaluate-record.ts";
import { evaluateSenders } from "./evaluate-senders.ts";
import { evaluateLookups, evaluateSyntax, evaluateVoids } from "./evaluate-tree.ts";
import { fixOf, offerRepair, type RepairedDomain } from "./offer-repair.ts";
import type { SpfText } from "./repair-spf.ts";
import { listed } from "./shown-list.ts";
import type { SpfTree } from "./spf-tree.ts";
import { walkSpf } from "./walk-spf.ts";

export interface SpfCheck {
  readonly domain: string;
  readonly role: DomainRole;
  readonly dns: ProbeDns;
  /** Lookups for evaluations and proposed records, which need more. Missing: `dns`. */
  readonly sendersDns?: ProbeDns;
  /** Known sending addresses of the domain. */
  readonly sendingIps?: readonly string[];
  /** Mechanisms of the domain's senders, such as `include:_spf.example.com`, for a new record. */
  readonly senders?: readonly string[];
}

/** RFC 7208 section 3.4: with fewer, an answer fits into the 512 octets of a UDP packet. */
const MAX_OCTETS = 450;
const EXPECTED = {
  "auth.spf.exists": phrase("spf.expected_exists"),
  "auth.spf.single": phrase("spf.expected_single"),
  "auth.spf.syntax": phrase("spf.valid"),
  "auth.spf.lookups": phrase("spf.expected_lookups"),
  "auth.spf.voids": phrase("spf.expected_voids"),
  "auth.spf.all": phrase("spf.expected_all"),
  "auth.spf.senders": phrase("spf.expected_senders"),
  "auth.spf.after_all": phrase("spf.expected_after_all"),
  "auth.spf.ptr": phrase("spf.expected_ptr"),
  "auth.spf.redirect_ignored": phrase("spf.expected_redirect"),
  "auth.spf.type99": phrase("spf.expected_type99"),
  "auth.spf.size": phrase("spf.expected_size", { count: MAX_OCTETS }),
} as const;
type SpfCheckId = keyof typeof EXPECTED;

/** Record types that a check examines, for its evidence. */
const READS: Partial<Record<SpfCheckId, readonly string[]>> = {
  "auth.spf.syntax": ["TXT"],
  "auth.spf.lookups": ["TXT", "MX"],
  "auth.spf.voids": ["TXT", "MX", "A", "AAAA"],
  "auth.spf.all": ["TXT"],
  "auth.spf.senders": ["TXT"],
  "auth.spf.ptr": ["TXT"],
};
const NO_TYPE_99: Evaluation = {
  status: "not_tested",
  ...observedFields(phrase("spf.type99")),
};

/** Checks the SPF record of a domain and all records that it references: every `auth.spf.*` check of the catalogue. */
export async function checkSpf(check: SpfCheck): Promise<CheckResult[]> {
  const { domain, role, dns, senders = [], sendingIps = [] } = check;
  const tree = await walkSpf(domain, dns);
  const repaired: RepairedDomain = { domain, role, sendingIps, dns: check.sendersDns ?? dns };
  const subject = await subjectOf(tree, repaired);
  const evaluated = (evaluate: (subject: Subject) => Evaluation): Evaluation =>
    subject ? evaluate(subject) : (failure(tree) ?? untested(tree));
  const bySenders = await evaluateSenders(subject, repaired);
  const evaluations: Record<SpfCheckId, Evaluation> = {
    "auth.spf.exists": await evaluateExistence(tree, repaired, senders),
    "auth.spf.single": await evaluateCount(tree, repaired),
    "auth.spf.syntax": evaluated(evaluateSyntax),
    "auth.spf.lookups": evaluated(evaluateLookups),
    "auth.spf.voids": evaluated(evaluateVoids),
    "auth.spf.all": evaluated(evaluateAll),
    "auth.spf.senders": bySenders?.evaluation ?? failure(tree) ?? untested(tree),
    "auth.spf.after_all": evaluated(evaluateAfterAll),
    "auth.spf.ptr": evaluated(evaluatePtr),
    "auth.spf.redirect_ignored": evaluated(evaluateRedirect),
    "auth.spf.size": evaluateSize(domain, tree),
    "auth.spf.type99": NO_TYPE_99,
  };
  return (Object.keys(EXPECTED) as SpfCheckId[]).map((id) => {
    const own = id === "auth.spf.senders" ? (bySenders?.evidence ?? []) : [];
    const evidence = id === "auth.spf.type99" ? [] : [...evidenceFor(id, tree.evidence), ...own];
    return { id, ...evaluations[id], ...expectedFields(EXPECTED[id]), evidence };
  });
}

async function subjectOf(tree: SpfTree, repaired: RepairedDomain): Promise<Subject | undefined> {
  const { root } = tree;
  if (!root) return undefined;
  const { domain, role } = repaired;
  const records = spfTexts(tree).map((record) => ({ ...record, node: root }));
  const repair = await offerRepair(records, repaired);
  const hasPtr = tree.findings.some(({ kind }) => kind === "ptr");
  const repairWithoutPtr = hasPtr ? await offerRepair(records, repaired, { withoutPtr: true }) : repair;
  return { domain, role, tree, root, repair, repairWithoutPtr };
}

/** The SPF records of the domain. */
function spfTexts({ texts, seams }: SpfTree): SpfText[] {
  return texts.flatMap((text, index) => (isSpf(text) ? [{ text, seams: seams[index] ?? [] }] : []));
}

async function evaluateExistence(
  tree: SpfTree,
  repaired: RepairedDomain,
  senders: readonly string[],
): Promise<Evaluation> {
  if (tree.outcome === "unknown") return failure(tree) ?? untested(tree);
  if (tree.outcome !== "none") return { status: "pass", ...observedFields(phrase("spf.found")) };
  const similar = tree.texts.filter((text) => /^\W*(?:v\s*=\s*)?spf\W?\d/i.test(text));
  const { list, more } = listed(similar);
  const observed = phrases(
    phrase("spf.none"),
    ...(similar.length > 0 ? [phrase("spf.similar", { list }), more] : []),
  );
  return { status: "fail", ...observedFields(observed), fix: await firstFix(tree, repaired, senders) };
}

/** A record for a domain without one: the corrected text that was meant as one, or the known senders. */
async function firstFix(tree: SpfTree, repaired: RepairedDomain, senders: readonly string[]): Promise<Fix> {
  const { domain, role, sendingIps } = repaired;
  const meant = tree.texts.flatMap((text, index) => meantRecord(text, tree.seams[index] ?? []) ?? []);
  if (meant.length > 0) {
    const repair = await offerRepair(meant, repaired);
    return fixOf(repair, domain, phrase("spf.replace_text"));
  }
  if (role !== "sending") {
    const text = phrases(phrase("spf.publish"), phrase("spf.declares_none"));
    return fixOf(await offerRepair([], { ...repaired, role: "parked" }), domain, text);
  }
  const text = phrases(phrase("spf.publish"), phrase("spf.add_others"));
  const first: SpfText = { text: mergeSpf([], senders), seams: [] };
  if (sendingIps.length > 0 || senders.length > 0)
    return fixOf(await offerRepair([first], repaired), domain, text);
  return fixFields(phrase("spf.publish_form"));
}

/** All characters of `\s`, and quotation marks. */
const SPACES_AND_QUOTES =
  "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\"'“”";

/** A text that was meant as an SPF record; undefined: it was not. */
function meantRecord(text: string, seams: readonly number[]): SpfText | undefined {
  const head = /^[\s"'“”]*v\s*=\s*spf\s*1(?![\d.])[\s"',;:]*/i.exec(text)?.[0];
  if (head === undefined) return undefined;
  const shift = "v=spf1 ".length - head.length;
  return {
    text: `v=spf1 ${trimEnd(text.slice(head.length), SPACES_AND_QUOTES)}`,
    seams: seams.filter((seam) => seam > head.length).map((seam) => seam + shift),
  };
}

async function evaluateCount(tree: SpfTree, repaired: RepairedDomain): Promise<Evaluation> {
  if (tree.outcome === "record") return { status: "pass", ...observedFields(phrase("spf.one")) };
  if (tree.outcome !== "several") return failure(tree) ?? untested(tree);
  const records = spfTexts(tree);
  const repair = await offerRepair(records, repaired);
  const { list, more } = listed(records.map(({ text }) => text));
  return {
    status: "fail",
    ...observedFields(phrases(phrase("spf.several_found", { count: records.length, list }), more)),
    fix: fixOf(repair, repaired.domain, phrase("spf.replace_several")),
  };
}

function evaluateSize(domain: string, tree: SpfTree): Evaluation {
  if (tree.outcome === "unknown" || tree.outcome === "none") return failure(tree) ?? untested(tree);
  const octets = [domain, ...tree.texts].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const observed = observedFields(phrase("spf.octets", { count: octets }));
  if (octets < MAX_OCTETS) return { status: "pass", ...observed };
  return { status: "warn", ...observed, fix: fixFields(phrase("spf.long_answers")) };
}

function failure({ reason }: SpfTree): Evaluation | undefined {
  if (reason === undefined) return undefined;
  return { status: "error", ...observedFields(phrase("spf.txt_failed", { reason })) };
}

function untested({ outcome }: SpfTree): Evaluation {
  const observed = phrase(outcome === "several" ? "spf.none_in_force" : "spf.none");
  return { status: "not_tested", ...observedFields(observed) };
}

function evidenceFor(id: SpfCheckId, evidence: readonly Evidence[]): Evidence[] {
  const types = READS[id];
  return types ? evidence.filter(({ type }) => types.includes(type)) : evidence.slice(0, 1);
}
