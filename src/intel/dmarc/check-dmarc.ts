import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import type { DomainRole } from "../catalogue.ts";
import {
  type CheckResult,
  type Evaluation,
  type Evidence,
  expectedFields,
  fixFields,
  observedFields,
} from "../check-result.ts";
import type { LookupFailure } from "../lookup-failure.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { quotable } from "../quotable.ts";
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
  "auth.dmarc.exists": phrase("dmarc.expects_record"),
  "auth.dmarc.valid": phrase("dmarc.expects_valid"),
  "auth.dmarc.policy": phrase("dmarc.expects_policy"),
  "auth.dmarc.subdomains": phrase("dmarc.expects_subdomains"),
  "auth.dmarc.rua": phrase("dmarc.expects_reports"),
  "auth.dmarc.rua_authorised": phrase("dmarc.expects_authorisation"),
  "auth.dmarc.removed_tags": phrase("dmarc.expects_no_removed_tags"),
  "auth.dmarc.alignment": phrase("alignment.expects"),
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
      ...observedFields(phrase("alignment.not_in_dns")),
      evidence: [],
    },
  };
  return (Object.keys(EXPECTED) as DmarcCheckId[]).map((id) => ({
    id,
    ...results[id],
    ...expectedFields(EXPECTED[id]),
  }));
}

type RecordCheckId = Exclude<DmarcCheckId, "auth.dmarc.exists" | "auth.dmarc.alignment">;

async function evaluateRecord(subject: Subject, dns: ProbeDns): Promise<Record<RecordCheckId, Evaluated>> {
  const { domain, walk, applied } = subject;
  const own = [applied.site.evidence];
  const all = walk.sites.map((site) => site.evidence);
  const policy = await findPolicy(domain, applied, dns);
  const unused: Evaluation = { status: "not_tested", ...observedFields(phrase("dmarc.unused")) };
  const fromPolicy = (evaluate: (subject: Subject, policy: FoundPolicy) => Evaluation): Evaluation => {
    if (!policy) return unused;
    if ("failure" in policy)
      return { status: "error", ...observedFields(phrase("dmarc.existence_unknown", policy.failure)) };
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
      ? { status: "not_tested", ...observedFields(phrase("dmarc.none")), evidence }
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
    const discarded =
      others === 1 ? phrase("dmarc.discarded_one") : phrase("dmarc.discarded", { count: others });
    return {
      status: "pass",
      ...observedFields(phrases(phrase("dmarc.exists"), others > 0 && discarded)),
      evidence: evidence.slice(0, 1),
    };
  }
  if (!applied && failure !== undefined) return { ...failed(failure), evidence };
  const fault = faultOf(walk, role);
  if (applied?.kind === "organisation" && !fault) {
    const observed = phrase("dmarc.organisation_applies", { domain: applied.site.domain });
    return { status: "pass", ...observedFields(observed), evidence };
  }
  const above = applied
    ? phrase("dmarc.above_applies", { domain: applied.site.domain })
    : phrase("dmarc.none_above");
  const name = `_dmarc.${domain}`;
  const value = keepInForce(fault?.value ?? firstRecord(role, reportAddress), applied);
  const first = role === "sending" ? phrase("dmarc.publish_first") : phrase("dmarc.publish_unused");
  return {
    status: applied ? "warn" : "fail",
    ...observedFields(phrases(fault?.observed ?? phrase("dmarc.missing", { name }), above)),
    evidence,
    fix: { record: { name, type: "TXT", value }, ...fixFields(fault?.text ?? first) },
  };
}

/** Why the domain's own records are no DMARC record. */
function faultOf({ domain, sites }: DmarcWalk, role: DomainRole) {
  const { found = [], texts = [] } = sites[0] ?? {};
  if (found.length > 1)
    return {
      observed: phrase("dmarc.several_at", { count: found.length, name: `_dmarc.${domain}` }),
      value: mergeDmarc(found, role),
      text: cautious(phrase("dmarc.replace_all"), role),
    };
  for (const text of texts) {
    const value = repairVersion(text, role);
    if (value !== undefined)
      return {
        observed: phrase("dmarc.wrong_beginning", { text: quotable(text) }),
        value,
        text: cautious(phrase("dmarc.replace"), role),
      };
  }
  return undefined;
}

/** A policy that comes into force may affect mail that has not been reviewed. */
function cautious(text: Phrase, role: DomainRole): Phrase {
  return phrases(text, role === "sending" && phrase("dmarc.takes_effect"));
}

function failed(failure: LookupFailure): Evaluation {
  return { status: "error", ...observedFields(phrase("dmarc.lookup_failed", failure)) };
}

function distinct(evidence: readonly Evidence[]): Evidence[] {
  return evidence.filter((one, index) => evidence.findIndex((other) => other.name === one.name) === index);
}
