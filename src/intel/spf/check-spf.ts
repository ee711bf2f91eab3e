import { isSpf, mergeSpf } from "../../message/spf/merge-spf.ts";
import { trimEnd } from "../../shared/trim-end.ts";
import type { DomainRole } from "../catalogue.ts";
import type { CheckResult, Evaluation, Evidence, Fix } from "../check-result.ts";
import type { ProbeDns } from "../probe-dns.ts";
import {
  evaluateAfterAll,
  evaluateAll,
  evaluatePtr,
  evaluateRedirect,
  listed,
  type Subject,
} from "./evaluate-record.ts";
import { evaluateSenders } from "./evaluate-senders.ts";
import { evaluateLookups, evaluateSyntax, evaluateVoids } from "./evaluate-tree.ts";
import { fixOf, offerRepair, type RepairedDomain } from "./offer-repair.ts";
import type { SpfText } from "./repair-spf.ts";
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

const EXPECTED = {
  "auth.spf.exists": "A TXT record of the domain begins with v=spf1.",
  "auth.spf.single": "The domain has one SPF record.",
  "auth.spf.syntax": "The record and all records that it references are valid.",
  "auth.spf.lookups": "The record and all records that it references need at most ten DNS lookups.",
  "auth.spf.voids": "At most two lookups find no records (void lookups).",
  "auth.spf.all": "The record ends in -all or ~all. For a parked domain it is v=spf1 -all.",
  "auth.spf.senders": "SPF passes for each sending address of the domain.",
  "auth.spf.after_all": "all is the last mechanism.",
  "auth.spf.ptr": "Neither the record nor a record that it references uses ptr.",
  "auth.spf.redirect_ignored": "A record with all has no redirect.",
  "auth.spf.type99": "SPF is published as TXT only.",
  "auth.spf.size": "The name and all its TXT records have fewer than 450 octets.",
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
/** RFC 7208 section 3.4: with fewer, an answer fits into the 512 octets of a UDP packet. */
const MAX_OCTETS = 450;
const NO_TYPE_99: Evaluation = {
  status: "not_tested",
  observed: "SPF records of type 99 are not queried because receivers ignore them (RFC 7208 section 3.1).",
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
    return { id, ...evaluations[id], expected: EXPECTED[id], evidence };
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
  if (tree.outcome !== "none") return { status: "pass", observed: "There is an SPF record." };
  const similar = tree.texts.filter((text) => /^\W*(?:v\s*=\s*)?spf\W?\d/i.test(text));
  const observed =
    similar.length > 0
      ? `There is no SPF record. This text is none because it does not begin with v=spf1 and a space: ${listed(similar)}.`
      : "There is no SPF record.";
  return { status: "fail", observed, fix: await firstFix(tree, repaired, senders) };
}

/** A record for a domain without one: the corrected text that was meant as one, or the known senders. */
async function firstFix(tree: SpfTree, repaired: RepairedDomain, senders: readonly string[]): Promise<Fix> {
  const { domain, role, sendingIps } = repaired;
  const meant = tree.texts.flatMap((text, index) => meantRecord(text, tree.seams[index] ?? []) ?? []);
  if (meant.length > 0) {
    const repair = await offerRepair(meant, repaired);
    return fixOf(repair, domain, "Replace the text with this record.");
  }
  if (role !== "sending") {
    const text = "Publish this record. It declares that the domain sends no mail.";
    return fixOf(await offerRepair([], { ...repaired, role: "parked" }), domain, text);
  }
  const text =
    "Publish this record. If other servers send for the domain, add their addresses before ~all first.";
  const first: SpfText = { text: mergeSpf([], senders), seams: [] };
  if (sendingIps.length > 0 || senders.length > 0)
    return fixOf(await offerRepair([first], repaired), domain, text);
  return {
    text: "Publish v=spf1, a mechanism for each server that sends for the domain, and ~all. Hermod proposes no record because it knows no sender, and a record without senders would forbid all mail. Set the domain's sending_ips to have them listed.",
  };
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
  if (tree.outcome === "record") return { status: "pass", observed: "There is one SPF record." };
  if (tree.outcome !== "several") return failure(tree) ?? untested(tree);
  const records = spfTexts(tree);
  const repair = await offerRepair(records, repaired);
  return {
    status: "fail",
    observed: `There are ${records.length} SPF records, so receivers use none: ${listed(records.map(({ text }) => text))}.`,
    fix: fixOf(repair, repaired.domain, "Replace all of them with this one record."),
  };
}

function evaluateSize(domain: string, tree: SpfTree): Evaluation {
  if (tree.outcome === "unknown" || tree.outcome === "none") return failure(tree) ?? untested(tree);
  const octets = [domain, ...tree.texts].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const observed = `The name and its TXT records have ${octets} octets.`;
  if (octets < MAX_OCTETS) return { status: "pass", observed };
  const text =
    "Answers this long need TCP, which some networks block. Remove TXT records that are no longer needed.";
  return { status: "warn", observed, fix: { text } };
}

function failure({ outcome, reason }: SpfTree): Evaluation | undefined {
  if (outcome !== "unknown") return undefined;
  return { status: "error", observed: `The lookup of the TXT records failed: ${reason}.` };
}

function untested({ outcome }: SpfTree): Evaluation {
  const several = "There are several SPF records, so none is in force.";
  return { status: "not_tested", observed: outcome === "several" ? several : "There is no SPF record." };
}

function evidenceFor(id: SpfCheckId, evidence: readonly Evidence[]): Evidence[] {
  const types = READS[id];
  return types ? evidence.filter(({ type }) => types.includes(type)) : evidence.slice(0, 1);
}
