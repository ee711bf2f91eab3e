import { parseTags } from "../../message/tag-list.ts";
import type { Clock } from "../../shared/clock.ts";
import type { DomainRole } from "../catalogue.ts";
import type { CheckResult, Evidence, Judgement } from "../check-result.ts";
import { findPolicy } from "../dmarc/find-policy.ts";
import { type AppliedDmarc, type DmarcWalk, recordOf, walkDmarc } from "../dmarc/walk-dmarc.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { worstOf, worstStatus } from "../worst-status.ts";
import type { FetchMark } from "./fetch-mark.ts";
import type { MarkFinding } from "./judge-certificate.ts";
import { lookAtMark } from "./look-at-mark.ts";

export interface BimiCheck {
  /** In A-labels. */
  readonly domain: string;
  readonly role: DomainRole;
  readonly dns: ProbeDns;
  readonly fetchMark: FetchMark;
  readonly clock: Pick<Clock, "now">;
}

const EXPECTED =
  "The TXT record at default._bimi names an image (SVG Tiny PS) and a certificate by https, and DMARC asks for quarantine or rejection.";
const MEND =
  "Mend what is said of the image or the certificate: receivers show a mark only where both are as they demand.";
/** The tags and their values are as the draft has them; those it does not know are left out (avp, lps and others). */
const VERSION = /^\s*v\s*=\s*BIMI1\s*(?:;|$)/;

/** `reputation.bimi`: the record, the image and the certificate that it names, and the DMARC policy that it needs. */
export async function checkBimi({
  domain: name,
  role,
  dns,
  fetchMark,
  clock,
}: BimiCheck): Promise<CheckResult[]> {
  const domain = name.toLowerCase().replace(/\.$/, "");
  const evidence: Evidence[] = [];
  const result = (judgement: Judgement): CheckResult[] => [
    { id: "reputation.bimi", ...judgement, expected: EXPECTED, evidence },
  ];
  if (role !== "sending")
    return result({
      status: "not_tested",
      observed: "No mail leaves in the domain's name: there is none to mark.",
    });

  async function look(at: string): Promise<{ records: readonly string[] } | { failure: string }> {
    const { answer, evidence: found } = await dns.lookUp(`default._bimi.${at}`, "TXT");
    evidence.push(found);
    if (answer.kind === "failed") return { failure: `default._bimi.${at}: ${answer.reason}` };
    const texts = answer.kind === "records" ? answer.records.map((strings) => strings.join("")) : [];
    return { records: texts.filter((text) => VERSION.test(text)) };
  }

  const walk = await walkDmarc(domain, dns);
  let found = await look(domain);
  let site = domain;
  const { organisation } = walk;
  if ("records" in found && found.records.length === 0 && organisation !== domain) {
    // The draft goes on to the organisational domain.
    if (organisation === undefined) return result(failed(walk.failure ?? "unknown"));
    site = organisation;
    found = await look(site);
  }
  if ("failure" in found) return result(failed(found.failure));
  const [record, another] = found.records;
  if (record === undefined)
    return result({ status: "not_tested", observed: "There is no BIMI record, and nobody needs one." });
  const judgement = another === undefined ? judgeRecord(record, site) : several(found.records.length, site);
  if (judgement.status !== "pass" || isDeclined(record)) return result(judgement);
  const tags = parseTags(record);
  const authority = tags?.get("a");
  const [dmarc, mark] = await Promise.all([
    judgeDmarc(walk, dns),
    lookAtMark({
      location: new URL(tags?.get("l") ?? ""),
      authority: authority ? new URL(authority) : undefined,
      domains: [...new Set([domain, site, organisation ?? domain])],
      fetchMark,
      clock,
    }),
  ]);
  evidence.push(...walk.sites.map((one) => one.evidence), ...mark.evidence);
  return result(worstJudgement([judgement, ...(dmarc ? [dmarc] : []), ...mark.findings.map(judgementOf)]));
}

/** What is of the worst status is told, and the first of it with what to do. */
function worstJudgement(all: readonly Judgement[]): Judgement {
  const worst = worstOf(all);
  const fix = worst.find((one) => one.fix)?.fix;
  const observed = worst.map((one) => one.observed).join(" ");
  return { status: worstStatus(all.map(({ status }) => status)), observed, ...(fix && { fix }) };
}

function judgementOf({ status, text: observed }: MarkFinding): Judgement {
  if (status !== "fail" && status !== "warn") return { status, observed };
  return { status, observed, fix: { text: MEND } };
}

function isDeclined(record: string): boolean {
  const tags = parseTags(record);
  return tags?.get("l") === "" && (tags.get("a") ?? "") === "";
}

function judgeRecord(record: string, site: string): Judgement {
  const tags = parseTags(record);
  const fix = {
    text: `Give the record at default._bimi.${site} the form v=BIMI1; l=https://…; a=https://….`,
  };
  if (!tags?.has("l")) {
    const observed = tags ? "The BIMI record has no l." : "The tags of the BIMI record cannot be read.";
    return { status: "fail", observed, fix };
  }
  if (isDeclined(record))
    return { status: "pass", observed: "The domain declines to be marked (l is empty)." };
  const wrong = ["l", "a"].filter((tag) => !isHttps(tags.get(tag) ?? "", tag === "a"));
  if (wrong.length > 0)
    return {
      status: "fail",
      observed: `No https address stands in ${wrong.join(" and ")} of the BIMI record.`,
      fix,
    };
  const evidence = tags.get("a") ? "" : " Without a certificate (a), some mailbox providers do not show it.";
  return {
    status: "pass",
    observed: `There is a BIMI record, and nothing is wrong with what it names.${evidence}`,
  };
}

function several(count: number, site: string): Judgement {
  return {
    status: "fail",
    observed: `There are ${count} BIMI records at default._bimi.${site}, and so receivers use none.`,
    fix: { text: "Keep one of them." },
  };
}

/** What DMARC lacks; undefined: nothing. It holds for subdomains as well, else a mark could be had in their name. */
async function judgeDmarc(walk: DmarcWalk, dns: ProbeDns): Promise<Judgement | undefined> {
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
  const observed = "There is a BIMI record, but receivers show no mark without a DMARC policy in full force.";
  const text = "Let DMARC ask for quarantine or rejection, also for subdomains, and not as a test (t=y).";
  return { status: "warn", observed, fix: { text } };
}

/** pct has no meaning for DMARC any more, but those who show marks still look at it. */
function isPartial({ record }: AppliedDmarc): boolean {
  return record.isTesting || record.tags.some(({ name, value }) => name === "pct" && value !== "100");
}

function failed(failure: string): Judgement {
  return { status: "error", observed: `Not all is known. ${failure}.` };
}

function isHttps(text: string, mayBeEmpty: boolean): boolean {
  if (text === "") return mayBeEmpty;
  return /^https:\/\//i.test(text) && URL.canParse(text);
}
