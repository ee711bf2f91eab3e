import { parseTags } from "../../message/tag-list.ts";
import type { Clock } from "../../shared/clock.ts";
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
import { findPolicy } from "../dmarc/find-policy.ts";
import { type AppliedDmarc, type DmarcWalk, recordOf, walkDmarc } from "../dmarc/walk-dmarc.ts";
import { type LookupFailure, lookupsFailed } from "../lookup-failure.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { worstOf, worstStatus } from "../worst-status.ts";
import { checkMark } from "./check-mark.ts";
import type { MarkFinding } from "./evaluate-certificate.ts";
import type { FetchMark } from "./fetch-mark.ts";

export interface BimiCheck {
  /** In A-labels. */
  readonly domain: string;
  readonly role: DomainRole;
  readonly dns: ProbeDns;
  readonly fetchMark: FetchMark;
  readonly clock: Pick<Clock, "now">;
}

/** Tags and values follow the draft. Unknown tags are ignored (avp, lps and others). */
const VERSION = /^\s*v\s*=\s*BIMI1\s*(?:;|$)/;

/** Checks `reputation.bimi`: the record, its image and certificate, and the DMARC policy that it needs. */
export async function checkBimi({
  domain: name,
  role,
  dns,
  fetchMark,
  clock,
}: BimiCheck): Promise<CheckResult[]> {
  const domain = name.toLowerCase().replace(/\.$/, "");
  const evidence: Evidence[] = [];
  const result = (evaluation: Evaluation): CheckResult[] => [
    { id: "reputation.bimi", ...evaluation, ...expectedFields(phrase("bimi.expected")), evidence },
  ];
  if (role !== "sending")
    return result({ status: "not_tested", ...observedFields(phrase("bimi.not_needed")) });

  async function readRecords(
    at: string,
  ): Promise<{ records: readonly string[] } | { failure: LookupFailure }> {
    const owner = `default._bimi.${at}`;
    const { answer, evidence: found } = await dns.lookUp(owner, "TXT");
    evidence.push(found);
    if (answer.kind === "failed") return { failure: { name: owner, reason: answer.reason } };
    const texts = answer.kind === "records" ? answer.records.map((strings) => strings.join("")) : [];
    return { records: texts.filter((text) => VERSION.test(text)) };
  }

  const walk = await walkDmarc(domain, dns);
  let found = await readRecords(domain);
  let site = domain;
  const { organisation = domain, failure } = walk;
  if ("records" in found && found.records.length === 0 && (failure || organisation !== domain)) {
    // The draft continues with the organizational domain.
    if (failure) return result(failed(failure));
    site = organisation;
    found = await readRecords(site);
  }
  if ("failure" in found) return result(failed(found.failure));
  const [record, another] = found.records;
  if (record === undefined) return result({ status: "not_tested", ...observedFields(phrase("bimi.none")) });
  const evaluation =
    another === undefined ? evaluateRecord(record, site) : several(found.records.length, site);
  if (evaluation.status !== "pass" || isDeclined(record)) return result(evaluation);
  const tags = parseTags(record);
  const authority = tags?.get("a");
  const [dmarc, mark] = await Promise.all([
    evaluateDmarc(walk, dns),
    checkMark({
      location: new URL(tags?.get("l") ?? ""),
      authority: authority ? new URL(authority) : undefined,
      domains: [...new Set([domain, site, organisation ?? domain])],
      fetchMark,
      clock,
    }),
  ]);
  evidence.push(...walk.sites.map((one) => one.evidence), ...mark.evidence);
  return result(worstEvaluation([evaluation, ...(dmarc ? [dmarc] : []), ...mark.findings.map(evaluationOf)]));
}

/** Joins the findings of the worst status. The first of them provides the fix. */
function worstEvaluation(all: readonly Evaluation[]): Evaluation {
  const worst = worstOf(all);
  const fix = worst.find((one) => one.fix)?.fix;
  const observed = phrases(
    ...worst.map(({ observed: text, observedParts: parts = [] }): Phrase => ({ text, parts })),
  );
  const status = worstStatus(all.map((one) => one.status));
  return { status, ...observedFields(observed), ...(fix && { fix }) };
}

function evaluationOf({ status, text }: MarkFinding): Evaluation {
  const observed = observedFields(text);
  if (status !== "fail" && status !== "warn") return { status, ...observed };
  return { status, ...observed, fix: fixFields(phrase("bimi.correct_files")) };
}

function isDeclined(record: string): boolean {
  const tags = parseTags(record);
  return tags?.get("l") === "" && (tags.get("a") ?? "") === "";
}

function evaluateRecord(record: string, site: string): Evaluation {
  const tags = parseTags(record);
  const fix = fixFields(phrase("bimi.correct_record", { name: `default._bimi.${site}` }));
  if (!tags?.has("l")) {
    const observed = phrase(tags ? "bimi.no_image" : "bimi.tags");
    return { status: "fail", ...observedFields(observed), fix };
  }
  if (isDeclined(record)) return { status: "pass", ...observedFields(phrase("bimi.declined")) };
  const wrong = ["l", "a"].filter((tag) => !isHttps(tags.get(tag) ?? "", tag === "a"));
  if (wrong.length > 0)
    return { status: "fail", ...observedFields(phrase("bimi.no_address", { tags: wrong })), fix };
  const hint = !tags.get("a") && phrase("bimi.no_certificate");
  return { status: "pass", ...observedFields(phrases(phrase("bimi.valid"), hint)) };
}

function several(count: number, site: string): Evaluation {
  return {
    status: "fail",
    ...observedFields(phrase("bimi.several", { count, name: `default._bimi.${site}` })),
    fix: fixFields(phrase("bimi.keep_one")),
  };
}

/**
 * Requirements that the DMARC policy does not meet; undefined: none. They include subdomains: otherwise others could
 * use the logo in the name of a subdomain.
 */
async function evaluateDmarc(walk: DmarcWalk, dns: ProbeDns): Promise<Evaluation | undefined> {
  const { applied, domain } = walk;
  if (walk.failure !== undefined) return failed(walk.failure);
  const policy = applied && (await findPolicy(domain, applied, dns));
  if (policy && "failure" in policy) return failed(policy.failure);
  const above = walk.sites.find((site) => site.domain === walk.organisation);
  const organisation = above && recordOf(above);
  const isEnforced =
    applied !== undefined &&
    policy !== undefined &&
    policy.written !== "none" &&
    (organisation?.policies?.sp ?? policy.written) !== "none" &&
    !isPartial(applied);
  if (isEnforced) return undefined;
  const observed = observedFields(phrase("bimi.not_enforced"));
  return { status: "warn", ...observed, fix: fixFields(phrase("bimi.enforce")) };
}

/** DMARC has removed pct, but providers that show logos still check it. */
function isPartial({ record }: AppliedDmarc): boolean {
  return record.isTesting || record.tags.some(({ name, value }) => name === "pct" && value !== "100");
}

function failed(failure: LookupFailure): Evaluation {
  return { status: "error", ...observedFields(lookupsFailed([failure])) };
}

function isHttps(text: string, mayBeEmpty: boolean): boolean {
  if (text === "") return mayBeEmpty;
  return /^https:\/\//i.test(text) && URL.canParse(text);
}
