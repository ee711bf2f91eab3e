import type { DomainRole } from "../catalogue.ts";
import type { CheckResult, Evaluation, Evidence } from "../check-result.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { quoted } from "../quoted.ts";
import { evaluateAuthorisation } from "./authorise-reports.ts";
import {
  evaluatePolicy,
  evaluateRemovedTags,
  evaluateReports,
  evaluateSubdomains,
  evaluateSyntax,
  type Subject,
} from "./evaluate-record.ts";
import { type FoundPolicy, findPolicy } from "./find-policy.ts";
import { firstRecord, keepInForce, mergeDmarc, repairVersion } from "./repair-dmarc.ts";
import { type DmarcWalk, walkDmarc } from "./walk-dmarc.ts";

export interface DmarcCheck {
  /** In A-labels. */
  readonly domain: string;
  readonly role: DomainRole;
  readonly dns: ProbeDns;
  /**
   * Address for reports about the domain, proposed for records without an address. Its domain has agreed to receive
   * them.
   */
  readonly reportAddress?: string;
}

const EXPECTED = {
  "auth.dmarc.exists":
    "One TXT record at _dmarc begins with v=DMARC1, or the record of a domain above applies.",
  "auth.dmarc.valid": "The record contains only known tags, each once and with a valid value.",
  "auth.dmarc.policy": "The policy is quarantine or reject. For a parked domain it is reject.",
  "auth.dmarc.subdomains": "Neither sp nor np is weaker than the domain's own policy.",
  "auth.dmarc.rua": "rua contains a usable mailto address and no invalid address.",
  "auth.dmarc.rua_authorised":
    "Each domain outside of the organizational domain that receives reports has agreed to it.",
  "auth.dmarc.removed_tags": "The record has none of the tags pct, rf and ri.",
  "auth.dmarc.alignment": "Mail passes SPF or DKIM with a domain that is aligned with the From domain.",
} as const;
type DmarcCheckId = keyof typeof EXPECTED;

type Evaluated = Evaluation & { readonly evidence: readonly Evidence[] };

/** Checks the DMARC record that applies to a domain: every `auth.dmarc.*` check of the catalogue. */
export async function checkDmarc({ domain, role, dns, reportAddress }: DmarcCheck): Promise<CheckResult[]> {
  const walk = await walkDmarc(domain, dns);
  const { applied } = walk;
  const evaluated = applied
    ? await evaluateRecord({ domain: walk.domain, role, walk, applied, reportAddress }, dns)
    : evaluateAbsence(walk);
  const results: Record<DmarcCheckId, Evaluated> = {
    "auth.dmarc.exists": evaluateExistence(walk, role, reportAddress),
    ...evaluated,
    "auth.dmarc.alignment": {
      status: "not_tested",
      observed:
        "Alignment cannot be measured from DNS records. It needs mail of the domain or reports about it.",
      evidence: [],
    },
  };
  return (Object.keys(EXPECTED) as DmarcCheckId[]).map((id) => ({
    id,
    ...results[id],
    expected: EXPECTED[id],
  }));
}

type RecordCheckId = Exclude<DmarcCheckId, "auth.dmarc.exists" | "auth.dmarc.alignment">;

async function evaluateRecord(subject: Subject, dns: ProbeDns): Promise<Record<RecordCheckId, Evaluated>> {
  const { domain, walk, applied } = subject;
  const own = [applied.site.evidence];
  const all = walk.sites.map((site) => site.evidence);
  const policy = await findPolicy(domain, applied, dns);
  const unused: Evaluation = { status: "not_tested", observed: "Receivers do not use the record." };
  const fromPolicy = (evaluate: (subject: Subject, policy: FoundPolicy) => Evaluation): Evaluation => {
    if (!policy) return unused;
    if ("failure" in policy)
      return { status: "error", observed: `It is unknown whether the domain exists: ${policy.failure}.` };
    return evaluate(subject, policy);
  };
  const fromRecord = (evaluate: (subject: Subject) => Evaluation) => (policy ? evaluate(subject) : unused);
  const authorisation = policy
    ? await evaluateAuthorisation(walk, applied, dns)
    : { evaluation: unused, evidence: [] };
  const ofPolicy = policy?.evidence ?? [];
  return {
    "auth.dmarc.valid": { ...evaluateSyntax(subject), evidence: own },
    "auth.dmarc.policy": { ...fromPolicy(evaluatePolicy), evidence: [...own, ...ofPolicy] },
    "auth.dmarc.subdomains": { ...fromPolicy(evaluateSubdomains), evidence: [...all, ...ofPolicy] },
    "auth.dmarc.rua": { ...fromRecord(evaluateReports), evidence: own },
    "auth.dmarc.rua_authorised": {
      ...authorisation.evaluation,
      evidence: distinct([...all, ...authorisation.evidence]),
    },
    "auth.dmarc.removed_tags": { ...fromRecord(evaluateRemovedTags), evidence: own },
  };
}

/** Results without a record: nothing to judge, or unknown if the lookup failed. */
function evaluateAbsence(walk: DmarcWalk): Record<RecordCheckId, Evaluated> {
  const evidence = walk.sites.map((site) => site.evidence);
  const evaluated: Evaluated =
    walk.failure === undefined
      ? { status: "not_tested", observed: "There is no DMARC record.", evidence }
      : { ...failed(walk.failure), evidence };
  return {
    "auth.dmarc.valid": evaluated,
    "auth.dmarc.policy": evaluated,
    "auth.dmarc.subdomains": evaluated,
    "auth.dmarc.rua": evaluated,
    "auth.dmarc.rua_authorised": evaluated,
    "auth.dmarc.removed_tags": evaluated,
  };
}

function evaluateExistence(walk: DmarcWalk, role: DomainRole, reportAddress: string | undefined): Evaluated {
  const { applied, failure, domain, sites } = walk;
  const evidence = sites.map((site) => site.evidence);
  if (applied?.kind === "own") {
    const others = (sites[0]?.texts.length ?? 0) - 1;
    const beside = others > 0 ? ` Receivers discard ${others} other TXT records at this name.` : "";
    return {
      status: "pass",
      observed: `There is a DMARC record.${beside}`,
      evidence: evidence.slice(0, 1),
    };
  }
  if (!applied && failure !== undefined) return { ...failed(failure), evidence };
  const fault = faultOf(walk, role);
  const above = applied
    ? `The record of ${applied.site.domain} applies.`
    : "No record of a domain above applies.";
  if (applied?.kind === "organisation" && !fault)
    return { status: "pass", observed: `The DMARC record of ${applied.site.domain} applies.`, evidence };
  const value = keepInForce(fault?.value ?? firstRecord(role, reportAddress), applied);
  const text = fault?.text ?? "Publish this record. It does not ask receivers to reject mail yet.";
  return {
    status: applied ? "warn" : "fail",
    observed: `${fault?.observed ?? `There is no DMARC record at _dmarc.${domain}.`} ${above}`,
    evidence,
    fix: {
      record: { name: `_dmarc.${domain}`, type: "TXT", value },
      text: role === "sending" || fault ? text : "Publish this record. The domain sends no mail.",
    },
  };
}

/** Why the domain's own records are no DMARC record. */
function faultOf({ domain, sites }: DmarcWalk, role: DomainRole) {
  const { found = [], texts = [] } = sites[0] ?? {};
  if (found.length > 1)
    return {
      observed: `There are ${found.length} DMARC records at _dmarc.${domain}, so receivers use none of them.`,
      value: mergeDmarc(found, role),
      text: `Replace all of them with this one record.${caution(role)}`,
    };
  for (const text of texts) {
    const value = repairVersion(text, role);
    if (value !== undefined)
      return {
        observed: `This is not a DMARC record because it does not begin with exactly v=DMARC1: ${quoted(text)}.`,
        value,
        text: `Replace the record with this one.${caution(role)}`,
      };
  }
  return undefined;
}

/** A policy that comes into force may affect mail that has not been reviewed. */
function caution(role: DomainRole): string {
  if (role !== "sending") return "";
  return " The policy takes effect with the record. Publish it with p=none first, unless reports show that all mail of the domain is aligned.";
}

function failed(failure: string): Evaluation {
  return { status: "error", observed: `The lookup of the DMARC record failed: ${failure}.` };
}

function distinct(evidence: readonly Evidence[]): Evidence[] {
  return evidence.filter((one, index) => evidence.findIndex((other) => other.name === one.name) === index);
}
