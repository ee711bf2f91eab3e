import { isSpf, mergeSpf } from "../../message/spf/merge-spf.ts";
import type { DomainRole } from "../catalogue.ts";
import type { CheckResult, Evidence, Fix, Judgement } from "../check-result.ts";
import type { ProbeDns } from "../probe-dns.ts";
import {
  judgeAfterAll,
  judgeAll,
  judgePtr,
  judgeRedirect,
  listed,
  NOBODY_SENDS,
  type Subject,
} from "./judge-record.ts";
import { judgeLookups, judgeSyntax, judgeVoids } from "./judge-tree.ts";
import { parseSpf } from "./parse-spf.ts";
import { repairSpf } from "./repair-spf.ts";
import type { SpfTree } from "./spf-tree.ts";
import { walkSpf } from "./walk-spf.ts";

export interface SpfCheck {
  readonly domain: string;
  readonly role: DomainRole;
  readonly dns: ProbeDns;
  /** Mechanisms of what sends for the domain, as `include:_spf.example.com`, for a record where there is none. */
  readonly senders?: readonly string[];
}

const EXPECTED = {
  "auth.spf.exists": "A TXT record of the domain begins with v=spf1.",
  "auth.spf.single": "The domain has one SPF record.",
  "auth.spf.syntax": "The record and all that it leads to can be read.",
  "auth.spf.lookups": "The record and all that it leads to need ten DNS lookups at most.",
  "auth.spf.voids": "Two names that have nothing are asked for at most.",
  "auth.spf.all": "The record ends in -all or ~all; that of a parked domain is v=spf1 -all.",
  "auth.spf.after_all": "all is the last mechanism.",
  "auth.spf.ptr": "Neither the record nor what it leads to has ptr.",
  "auth.spf.redirect_ignored": "A record with all has no redirect.",
  "auth.spf.type99": "SPF is published as TXT only.",
  "auth.spf.size": "The name and all its TXT records have fewer than 450 octets.",
} as const;
type SpfCheckId = keyof typeof EXPECTED;

/** What a check looked at, for its evidence. */
const LOOKS_AT: Partial<Record<SpfCheckId, readonly string[]>> = {
  "auth.spf.syntax": ["TXT"],
  "auth.spf.lookups": ["TXT", "MX"],
  "auth.spf.voids": ["TXT", "MX", "A", "AAAA"],
  "auth.spf.all": ["TXT"],
  "auth.spf.ptr": ["TXT"],
};
/** RFC 7208 section 3.4: with fewer, an answer fits into the 512 octets of a UDP packet. */
const MAX_OCTETS = 450;
const NO_TYPE_99: Judgement = {
  status: "not_tested",
  observed:
    "Records of type 99 are not asked for: receivers do not look at them either (RFC 7208 section 3.1).",
};

/** The SPF record of a domain and all that it leads to: every check `auth.spf.*` of the catalogue. */
export async function checkSpf({ domain, role, dns, senders = [] }: SpfCheck): Promise<CheckResult[]> {
  const tree = await walkSpf(domain, dns);
  const judgements: Record<SpfCheckId, Judgement> = {
    ...judgeTree(domain, role, tree),
    "auth.spf.exists": judgeExistence(domain, role, tree, senders),
    "auth.spf.single": judgeCount(domain, role, tree),
    "auth.spf.size": judgeSize(domain, tree),
    "auth.spf.type99": NO_TYPE_99,
  };
  return (Object.keys(EXPECTED) as SpfCheckId[]).map((id) => ({
    ...{ id, ...judgements[id], expected: EXPECTED[id] },
    evidence: id === "auth.spf.type99" ? [] : evidenceFor(id, tree.evidence),
  }));
}

function judgeTree(domain: string, role: DomainRole, tree: SpfTree) {
  const { root } = tree;
  const judged = (judge: (subject: Subject) => Judgement): Judgement =>
    root ? judge({ domain, role, tree, root }) : (failure(tree) ?? untested(tree));
  return {
    "auth.spf.syntax": judged(judgeSyntax),
    "auth.spf.lookups": judged(judgeLookups),
    "auth.spf.voids": judged(judgeVoids),
    "auth.spf.all": judged(judgeAll),
    "auth.spf.after_all": judged(judgeAfterAll),
    "auth.spf.ptr": judged(judgePtr),
    "auth.spf.redirect_ignored": judged(judgeRedirect),
  };
}

function judgeExistence(
  domain: string,
  role: DomainRole,
  tree: SpfTree,
  senders: readonly string[],
): Judgement {
  if (tree.outcome === "unknown") return failure(tree) ?? untested(tree);
  if (tree.outcome !== "none") return { status: "pass", observed: "There is an SPF record." };
  const similar = tree.texts.filter((text) => /^\W*(?:v\s*=\s*)?spf\W?\d/i.test(text));
  const observed =
    similar.length > 0
      ? `There is no SPF record. This is none, as it does not begin with v=spf1 and a space: ${listed(similar)}.`
      : "There is no SPF record.";
  const sends = role === "sending";
  const value = sends ? mergeSpf([], senders) : NOBODY_SENDS;
  const text = sends
    ? "Publish this record, with what else sends for the domain before ~all."
    : "Publish this record: it says that the domain sends no mail.";
  return { status: "fail", observed, fix: { record: { name: domain, type: "TXT", value }, text } };
}

function judgeCount(domain: string, role: DomainRole, tree: SpfTree): Judgement {
  if (tree.outcome === "record") return { status: "pass", observed: "There is one SPF record." };
  if (tree.outcome !== "several") return failure(tree) ?? untested(tree);
  const records = tree.texts.filter(isSpf);
  const fix: Fix = {
    record: { name: domain, type: "TXT", value: role === "parked" ? NOBODY_SENDS : merger(records) },
    text: "Put this one record in the place of all of them.",
  };
  return {
    status: "fail",
    observed: `There are ${records.length} SPF records, and so receivers use none: ${listed(records)}.`,
    fix,
  };
}

/** One record that says what these do, as far as each can be read. */
function merger(records: readonly string[]): string {
  const text = mergeSpf(records, []);
  const record = parseSpf(text);
  return repairSpf({
    ...{ name: "", text, record, branches: [], lookups: 0, voids: 0 },
    end: "none",
    allows: [],
  }).value;
}

function judgeSize(domain: string, tree: SpfTree): Judgement {
  if (tree.outcome === "unknown" || tree.outcome === "none") return failure(tree) ?? untested(tree);
  const octets = [domain, ...tree.texts].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const observed = `The name and its TXT records have ${octets} octets.`;
  if (octets < MAX_OCTETS) return { status: "pass", observed };
  const text =
    "Answers this long need TCP, which some networks do not let pass. Remove TXT records that nobody needs any more.";
  return { status: "warn", observed, fix: { text } };
}

function failure({ outcome, reason }: SpfTree): Judgement | undefined {
  if (outcome !== "unknown") return undefined;
  return { status: "error", observed: `The TXT records could not be looked up: ${reason}.` };
}

function untested({ outcome }: SpfTree): Judgement {
  const several = "There are several SPF records, and so none that is in force.";
  return { status: "not_tested", observed: outcome === "several" ? several : "There is no SPF record." };
}

function evidenceFor(id: SpfCheckId, evidence: readonly Evidence[]): Evidence[] {
  const types = LOOKS_AT[id];
  return types ? evidence.filter(({ type }) => types.includes(type)) : evidence.slice(0, 1);
}
