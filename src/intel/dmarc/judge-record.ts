import type { DomainRole } from "../catalogue.ts";
import type { Judgement } from "../check-result.ts";
import { quoted } from "../quoted.ts";
import type { FoundPolicy } from "./find-policy.ts";
import {
  type DmarcPolicy,
  type DmarcProblem,
  inTestMode,
  isWeaker,
  parseDmarc,
  removedTags,
} from "./parse-dmarc.ts";
import {
  changeTags,
  firstRecord,
  inheritedTags,
  keepInForce,
  nextPolicy,
  repairDmarc,
} from "./repair-dmarc.ts";
import { mailtoUri, type ReportUri, repairReportUri } from "./report-uri.ts";
import { type AppliedDmarc, type DmarcWalk, recordOf } from "./walk-dmarc.ts";

/** What the record that applies to a domain is judged by. */
export interface Subject {
  readonly domain: string;
  readonly role: DomainRole;
  readonly walk: DmarcWalk;
  readonly applied: AppliedDmarc;
  readonly reportAddress: string | undefined;
}

const PROBLEMS: Readonly<Record<DmarcProblem["kind"], string>> = {
  twice: "stands there a second time",
  policy: "is no policy",
  value: "is no value of this tag, which so has its default",
  syntax: "is no tag, and nobody heeds it",
  spelling: "has capitals where some receivers want none",
};
const MAX_SHOWN = 5;
/** Nobody but the registry can change its record. */
const OWN_RECORD = "Publish a record of your own.";

/** `auth.dmarc.valid`. */
export function judgeSyntax({ role, applied }: Subject): Judgement {
  const { record, kind } = applied;
  const value = repairDmarc(record, role);
  const text = "Put this record in the place of the present one.";
  const fix = kind === "suffix" ? { text: OWN_RECORD } : replacement(applied, value, text);
  const sentences = record.problems
    .slice(0, MAX_SHOWN)
    .map((problem) => `${quoted(problem.text)} ${PROBLEMS[problem.kind]}.`);
  const explained = sentences.join(" ");
  if (!record.policies)
    return { status: "fail", observed: `Receivers do not use the record. ${explained}`, fix };
  const isUnsure = record.problems.some((problem) => problem.kind === "policy");
  if (isUnsure)
    return { status: "warn", observed: `Receivers take the record for p=none. ${explained}`, fix };
  if (sentences.length > 0) return { status: "warn", observed: explained, fix };
  if (record.tags.some(({ name }) => name === "p"))
    return { status: "pass", observed: "The record can be read." };
  const observed = "There is no p: receivers take that for p=none, and older ones do not use the record.";
  return { status: "warn", observed, fix };
}

/** `auth.dmarc.policy`. */
export function judgePolicy(subject: Subject, policy: FoundPolicy): Judgement {
  const { role, applied } = subject;
  const { inForce, written, tag } = policy;
  const where = applied.kind === "own" ? "" : ` of _dmarc.${applied.site.domain}`;
  const tested = inForce === written ? "" : ", and t=y, so that receivers apply one level less";
  const observed = `The policy is ${tag}=${written}${where}${tested}: ${MEANINGS[inForce]}.`;
  if (inForce === "reject" || (inForce === "quarantine" && role !== "parked"))
    return { status: "pass", observed };
  const status = role === "parked" && inForce === "none" ? "fail" : "warn";
  return { status, observed, fix: policyFix(subject, policy) };
}

const MEANINGS = {
  none: "mail that is not aligned with the domain is delivered like any other",
  quarantine: "mail that is not aligned with the domain is suspicious",
  reject: "mail that is not aligned with the domain is refused",
} as const;

function policyFix({ domain, role, applied }: Subject, { written }: FoundPolicy) {
  const next = nextPolicy(role);
  const atLeast = (policy: DmarcPolicy) => (isWeaker(policy, next) ? next : policy);
  const isSafe =
    role === "sending"
      ? "Once reports show that all mail of yours is aligned, publish this record."
      : "Publish this record: no mail leaves in the domain's name, and so none can be lost.";
  const { record, kind } = applied;
  if (kind === "own") {
    // A policy that nobody can read would keep the others from being used.
    const isUnsure = record.problems.some((problem) => problem.kind === "policy");
    const base = (isUnsure && parseDmarc(repairDmarc(record, role))) || record;
    // What is in test mode may be strict enough already.
    const changes = { p: atLeast(base.policies?.p ?? "none"), ...(record.isTesting && { t: undefined }) };
    return replacement(applied, changeTags(base, changes), isSafe);
  }
  // A record above is for other domains, too: one of its own does the domain good, and harms no other one.
  const value = changeTags(
    { tags: kind === "organisation" ? inheritedTags(applied) : [] },
    { p: atLeast(written) },
  );
  return { record: { name: `_dmarc.${domain}`, type: "TXT", value }, text: isSafe } as const;
}

/** `auth.dmarc.subdomains`: names below are subject to the organisational domain's record, or to the suffix's. */
export function judgeSubdomains({ domain, role, walk, applied }: Subject, policy: FoundPolicy): Judgement {
  if (walk.failure !== undefined)
    return { status: "error", observed: `Which record is for subdomains is not known: ${walk.failure}.` };
  const above = walk.sites.find((site) => site.domain === walk.organisation && recordOf(site) !== undefined);
  const site = above ?? applied.site;
  const record = recordOf(site);
  const policies = record?.policies ?? { p: "none", sp: "none", np: "none" };
  const isOwn = site.domain === domain;
  const isTesting = record?.isTesting ?? false;
  // In one record, test mode is for all of its policies, and will end for all of them.
  const isSame = site.domain === applied.site.domain;
  const wanted = isSame ? policy.written : policy.inForce;
  const weaker = (["sp", "np"] as const).filter((tag) =>
    isWeaker(isSame ? policies[tag] : inTestMode(policies[tag], isTesting), wanted),
  );
  if (weaker.length === 0)
    return { status: "pass", observed: "Names below the domain have no weaker policy." };
  const shownTags = weaker.map((tag) => `${tag}=${policies[tag]}`).join(" and ");
  const observed = `For names below the domain there is ${shownTags} of _dmarc.${site.domain}, and for itself ${wanted}: others can use any such name.`;
  if (!isOwn || !record) {
    const text =
      applied.kind === "suffix"
        ? OWN_RECORD
        : `Raise ${weaker.join(" and ")} in the record of ${site.domain}.`;
    return { status: "warn", observed, fix: { text } };
  }
  const value = changeTags(record, Object.fromEntries(weaker.map((tag) => [tag, undefined])));
  const text =
    role === "sending"
      ? "Once reports show that all mail of names below the domain is aligned, publish this record: the policy of the domain is then that of all names below it."
      : "Publish this record: the policy of the domain is then that of all names below it.";
  return { status: "warn", observed, fix: replacement({ site }, value, text) };
}

/** `auth.dmarc.rua`. */
export function judgeReports({ domain, role, applied, reportAddress }: Subject): Judgement {
  const { record, kind } = applied;
  const isMail = (uri: string) => /^mailto:/i.test(uri);
  const repaired = [...new Set(record.rua.flatMap((uri) => repairReportUri(uri) ?? []))];
  const isUsable = kind !== "suffix" && record.rua.some((uri) => uri.kind === "mail");
  if (isUsable) {
    const wrong = record.rua.filter((uri) => uri.kind === "invalid");
    const mails = record.rua.filter((uri) => uri.kind === "mail");
    if (wrong.length === 0) return { status: "pass", observed: `Reports go to ${listed(mails)}.` };
    const fix = replacement(applied, changeTags(record, { rua: repaired.join(",") }), "Publish this record.");
    return { status: "warn", observed: `These are no addresses: ${listed(wrong)}.`, fix };
  }
  // A parked domain does without; but to delete an address that is wrong makes nothing better.
  const status = role === "parked" ? "warn" : "fail";
  const text = "Publish a record with rua=mailto: and the address that reports are to be sent to.";
  if (kind === "suffix") {
    const value = keepInForce(firstRecord(role, reportAddress), applied);
    const own = { name: `_dmarc.${domain}`, type: "TXT", value } as const;
    const fix = reportAddress === undefined ? { text } : { record: own, text };
    return { status, observed: "Reports go to the registry alone, if at all.", fix };
  }
  const known = reportAddress === undefined || repaired.some(isMail) ? [] : [mailtoUri(reportAddress)];
  const uris = [...repaired, ...known];
  const observed =
    record.rua.length === 0
      ? "Nobody is asked for reports: there is no rua."
      : `No address of rua can be used: ${listed(record.rua)}.`;
  const value = changeTags(record, { rua: uris.join(",") });
  return { status, observed, fix: uris.some(isMail) ? replacement(applied, value, text) : { text } };
}

/** `auth.dmarc.removed_tags`. */
export function judgeRemovedTags({ applied }: Subject): Judgement {
  const { record } = applied;
  const found = removedTags.filter((name) => record.tags.some((tag) => tag.name === name));
  if (found.length === 0) return { status: "pass", observed: "There is no tag that has lost its meaning." };
  const isPart = record.tags.some(({ name, value }) => name === "pct" && value !== "100");
  const observed = `Receivers do not heed ${found.join(", ")} any more${isPart ? ": the policy is for all mail" : ""}.`;
  if (applied.kind === "suffix") return { status: "warn", observed, fix: { text: OWN_RECORD } };
  const value = changeTags(record, Object.fromEntries(found.map((name) => [name, undefined])));
  const text = "Publish this record. To try a policy out, there is t=y.";
  return { status: "warn", observed, fix: replacement(applied, value, text) };
}

/** Another record where the present one stands. */
function replacement({ site }: Pick<AppliedDmarc, "site">, value: string, text: string) {
  return { record: { name: `_dmarc.${site.domain}`, type: "TXT", value }, text } as const;
}

function listed(uris: readonly ReportUri[]): string {
  return uris
    .slice(0, MAX_SHOWN)
    .map(({ text }) => quoted(text))
    .join(", ");
}
