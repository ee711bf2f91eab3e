import type { DomainRole } from "../catalogue.ts";
import type { Evaluation } from "../check-result.ts";
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

/** Record that applies to a domain, with its context. */
export interface Subject {
  readonly domain: string;
  readonly role: DomainRole;
  readonly walk: DmarcWalk;
  readonly applied: AppliedDmarc;
  readonly reportAddress: string | undefined;
}

const PROBLEMS: Readonly<Record<DmarcProblem["kind"], string>> = {
  twice: "is a duplicate",
  policy: "is not a valid policy",
  value: "is not a valid value for this tag, so the default applies",
  syntax: "is not a tag, so receivers ignore it",
  spelling: "has capitals, which some receivers do not accept",
};
const MAX_SHOWN = 5;
/** Only the registry can change its record. */
const OWN_RECORD = "Publish a DMARC record for this domain.";

/** `auth.dmarc.valid`. */
export function evaluateSyntax({ role, applied }: Subject): Evaluation {
  const { record, kind } = applied;
  const value = repairDmarc(record, role);
  const text = "Replace the record with this one.";
  const fix = kind === "suffix" ? { text: OWN_RECORD } : replacement(applied, value, text);
  const sentences = record.problems
    .slice(0, MAX_SHOWN)
    .map((problem) => `${quoted(problem.text)} ${PROBLEMS[problem.kind]}.`);
  const explained = sentences.join(" ");
  if (!record.policies)
    return { status: "fail", observed: `Receivers do not use the record. ${explained}`, fix };
  const isUnsure = record.problems.some((problem) => problem.kind === "policy");
  if (isUnsure)
    return { status: "warn", observed: `Receivers treat the record as p=none. ${explained}`, fix };
  if (sentences.length > 0) return { status: "warn", observed: explained, fix };
  if (record.tags.some(({ name }) => name === "p"))
    return { status: "pass", observed: "The record is valid." };
  const observed = "There is no p tag. Receivers treat the record as p=none, and older receivers ignore it.";
  return { status: "warn", observed, fix };
}

/** `auth.dmarc.policy`. */
export function evaluatePolicy(subject: Subject, policy: FoundPolicy): Evaluation {
  const { role, applied } = subject;
  const { inForce, written, tag } = policy;
  const where = applied.kind === "own" ? "" : ` of _dmarc.${applied.site.domain}`;
  const tested = inForce === written ? "" : ", and t=y makes receivers apply one level less";
  const observed = `The policy is ${tag}=${written}${where}${tested}: ${MEANINGS[inForce]}.`;
  if (inForce === "reject" || (inForce === "quarantine" && role !== "parked"))
    return { status: "pass", observed };
  const status = role === "parked" && inForce === "none" ? "fail" : "warn";
  return { status, observed, fix: policyFix(subject, policy) };
}

const MEANINGS = {
  none: "mail that is not aligned with the domain is delivered like any other",
  quarantine: "mail that is not aligned with the domain is treated as suspicious",
  reject: "mail that is not aligned with the domain is rejected",
} as const;

function policyFix({ domain, role, applied }: Subject, { written }: FoundPolicy) {
  const next = nextPolicy(role);
  const atLeast = (policy: DmarcPolicy) => (isWeaker(policy, next) ? next : policy);
  const isSafe =
    role === "sending"
      ? "When reports show that all your mail is aligned, publish this record."
      : "Publish this record. The domain sends no mail, so no mail can be lost.";
  const { record, kind } = applied;
  if (kind === "own") {
    // An unreadable policy would make receivers ignore the others.
    const isUnsure = record.problems.some((problem) => problem.kind === "policy");
    const base = (isUnsure && parseDmarc(repairDmarc(record, role))) || record;
    // A record in test mode may already be strict enough.
    const changes = { p: atLeast(base.policies?.p ?? "none"), ...(record.isTesting && { t: undefined }) };
    return replacement(applied, changeTags(base, changes), isSafe);
  }
  // A record of a domain above also applies to other domains. A new record for this domain affects no other domain.
  const value = changeTags(
    { tags: kind === "organisation" ? inheritedTags(applied) : [] },
    { p: atLeast(written) },
  );
  return { record: { name: `_dmarc.${domain}`, type: "TXT", value }, text: isSafe } as const;
}

/** Judges `auth.dmarc.subdomains`. The record of the organizational domain, or of the suffix, applies to names below. */
export function evaluateSubdomains(
  { domain, role, walk, applied }: Subject,
  policy: FoundPolicy,
): Evaluation {
  if (walk.failure !== undefined)
    return {
      status: "error",
      observed: `It is unknown which record applies to subdomains: ${walk.failure}.`,
    };
  const above = walk.sites.find((site) => site.domain === walk.organisation && recordOf(site) !== undefined);
  const site = above ?? applied.site;
  const record = recordOf(site);
  const policies = record?.policies ?? { p: "none", sp: "none", np: "none" };
  const isOwn = site.domain === domain;
  const isTesting = record?.isTesting ?? false;
  // In one record, test mode applies to all of its policies and ends for all of them.
  const isSame = site.domain === applied.site.domain;
  const wanted = isSame ? policy.written : policy.inForce;
  const weaker = (["sp", "np"] as const).filter((tag) =>
    isWeaker(isSame ? policies[tag] : inTestMode(policies[tag], isTesting), wanted),
  );
  if (weaker.length === 0)
    return { status: "pass", observed: "Names below the domain have no weaker policy." };
  const shownTags = weaker.map((tag) => `${tag}=${policies[tag]}`).join(" and ");
  const observed = `The policy for names below the domain is ${shownTags}, from _dmarc.${site.domain}, but ${wanted} for the domain itself. Others can send with any name below the domain.`;
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
      ? "When reports show that all mail of names below the domain is aligned, publish this record. The domain's policy then applies to all names below it."
      : "Publish this record. The domain's policy then applies to all names below it.";
  return { status: "warn", observed, fix: replacement({ site }, value, text) };
}

/** `auth.dmarc.rua`. */
export function evaluateReports({ domain, role, applied, reportAddress }: Subject): Evaluation {
  const { record, kind } = applied;
  const isMail = (uri: string) => /^mailto:/i.test(uri);
  const repaired = [...new Set(record.rua.flatMap((uri) => repairReportUri(uri) ?? []))];
  const isUsable = kind !== "suffix" && record.rua.some((uri) => uri.kind === "mail");
  if (isUsable) {
    const wrong = record.rua.filter((uri) => uri.kind === "invalid");
    const mails = record.rua.filter((uri) => uri.kind === "mail");
    if (wrong.length === 0) return { status: "pass", observed: `Reports go to ${listed(mails)}.` };
    const fix = replacement(applied, changeTags(record, { rua: repaired.join(",") }), "Publish this record.");
    return { status: "warn", observed: `These addresses are invalid: ${listed(wrong)}.`, fix };
  }
  // A parked domain needs no reports. Deletion of an invalid address improves nothing, so it does not change the status.
  const status = role === "parked" ? "warn" : "fail";
  const text = "Publish a record with rua=mailto: and the address for reports.";
  if (kind === "suffix") {
    const value = keepInForce(firstRecord(role, reportAddress), applied);
    const own = { name: `_dmarc.${domain}`, type: "TXT", value } as const;
    const fix = reportAddress === undefined ? { text } : { record: own, text };
    return { status, observed: "Only the registry may receive reports.", fix };
  }
  const known = reportAddress === undefined || repaired.some(isMail) ? [] : [mailtoUri(reportAddress)];
  const uris = [...repaired, ...known];
  const observed =
    record.rua.length === 0
      ? "No reports are requested: there is no rua tag."
      : `No address in rua is usable: ${listed(record.rua)}.`;
  const value = changeTags(record, { rua: uris.join(",") });
  return { status, observed, fix: uris.some(isMail) ? replacement(applied, value, text) : { text } };
}

/** `auth.dmarc.removed_tags`. */
export function evaluateRemovedTags({ applied }: Subject): Evaluation {
  const { record } = applied;
  const found = removedTags.filter((name) => record.tags.some((tag) => tag.name === name));
  if (found.length === 0) return { status: "pass", observed: "The record has no removed tags." };
  const isPart = record.tags.some(({ name, value }) => name === "pct" && value !== "100");
  const observed = `Receivers ignore ${found.join(", ")}${isPart ? ", so the policy applies to all mail" : ""}.`;
  if (applied.kind === "suffix") return { status: "warn", observed, fix: { text: OWN_RECORD } };
  const value = changeTags(record, Object.fromEntries(found.map((name) => [name, undefined])));
  const text = "Publish this record. To test a policy, use t=y.";
  return { status: "warn", observed, fix: replacement(applied, value, text) };
}

/** Replacement for the present record. */
function replacement({ site }: Pick<AppliedDmarc, "site">, value: string, text: string) {
  return { record: { name: `_dmarc.${site.domain}`, type: "TXT", value }, text } as const;
}

function listed(uris: readonly ReportUri[]): string {
  return uris
    .slice(0, MAX_SHOWN)
    .map(({ text }) => quoted(text))
    .join(", ");
}
