import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import type { DomainRole } from "../catalogue.ts";
import { type Evaluation, fixFields, observedFields } from "../check-result.ts";
import { quotable } from "../quotable.ts";
import type { FoundPolicy } from "./find-policy.ts";
import { type DmarcPolicy, inTestMode, isWeaker, parseDmarc, removedTags } from "./parse-dmarc.ts";
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

const MAX_SHOWN = 5;
/** Only the registry can change its record. */
const OWN_RECORD = fixFields(phrase("dmarc.publish_own"));

/** `auth.dmarc.valid`. */
export function evaluateSyntax({ role, applied }: Subject): Evaluation {
  const { record, kind } = applied;
  const value = repairDmarc(record, role);
  const fix = kind === "suffix" ? OWN_RECORD : replacement(applied, value, phrase("dmarc.replace"));
  const problems = record.problems
    .slice(0, MAX_SHOWN)
    .map(({ kind, text }) => phrase(`dmarc.problem_${kind}`, { text: quotable(text) }));
  if (!record.policies)
    return { status: "fail", ...observedFields(phrases(phrase("dmarc.unused"), ...problems)), fix };
  const isUnsure = record.problems.some((problem) => problem.kind === "policy");
  if (isUnsure)
    return { status: "warn", ...observedFields(phrases(phrase("dmarc.treated_as_none"), ...problems)), fix };
  if (problems.length > 0) return { status: "warn", ...observedFields(phrases(...problems)), fix };
  if (record.tags.some(({ name }) => name === "p"))
    return { status: "pass", ...observedFields(phrase("dmarc.valid")) };
  return { status: "warn", ...observedFields(phrase("dmarc.no_policy_tag")), fix };
}

/** `auth.dmarc.policy`. */
export function evaluatePolicy(subject: Subject, policy: FoundPolicy): Evaluation {
  const { role, applied } = subject;
  const { inForce, written, tag } = policy;
  const shown = { tag, written, in_force: inForce };
  const isTested = inForce !== written;
  const name = `_dmarc.${applied.site.domain}`;
  const own = isTested ? phrase("dmarc.own_policy_tested", shown) : phrase("dmarc.own_policy", shown);
  const above = () =>
    isTested
      ? phrase("dmarc.policy_above_tested", { ...shown, name })
      : phrase("dmarc.policy_above", { ...shown, name });
  const observed = observedFields(applied.kind === "own" ? own : above());
  if (inForce === "reject" || (inForce === "quarantine" && role !== "parked"))
    return { status: "pass", ...observed };
  const status = role === "parked" && inForce === "none" ? "fail" : "warn";
  return { status, ...observed, fix: policyFix(subject, policy) };
}

function policyFix({ domain, role, applied }: Subject, { written }: FoundPolicy) {
  const next = nextPolicy(role);
  const atLeast = (policy: DmarcPolicy) => (isWeaker(policy, next) ? next : policy);
  const isSafe =
    role === "sending" ? phrase("dmarc.publish_when_aligned") : phrase("dmarc.publish_without_loss");
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
  return { record: { name: `_dmarc.${domain}`, type: "TXT", value }, ...fixFields(isSafe) } as const;
}

/** Judges `auth.dmarc.subdomains`. The record of the organizational domain, or of the suffix, applies to names below. */
export function evaluateSubdomains(
  { domain, role, walk, applied }: Subject,
  policy: FoundPolicy,
): Evaluation {
  if (walk.failure !== undefined)
    return { status: "error", ...observedFields(phrase("dmarc.subdomains_unknown", walk.failure)) };
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
  if (weaker.length === 0) return { status: "pass", ...observedFields(phrase("dmarc.subdomains_protected")) };
  const observed = observedFields(
    phrase("dmarc.subdomains_weaker", {
      tags: weaker.map((tag) => `${tag}=${policies[tag]}`),
      name: `_dmarc.${site.domain}`,
      policy: wanted,
    }),
  );
  if (!isOwn || !record) {
    const raise = phrase("dmarc.raise", { tags: weaker, domain: site.domain });
    return { status: "warn", ...observed, fix: applied.kind === "suffix" ? OWN_RECORD : fixFields(raise) };
  }
  const value = changeTags(record, Object.fromEntries(weaker.map((tag) => [tag, undefined])));
  const text =
    role === "sending" ? phrase("dmarc.publish_subdomains_when_aligned") : phrase("dmarc.publish_subdomains");
  return { status: "warn", ...observed, fix: replacement({ site }, value, text) };
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
    if (wrong.length === 0)
      return { status: "pass", ...observedFields(listed(phrase("dmarc.reports_go_to"), mails)) };
    const value = changeTags(record, { rua: repaired.join(",") });
    const fix = replacement(applied, value, phrase("dmarc.publish"));
    return { status: "warn", ...observedFields(listed(phrase("dmarc.invalid_addresses"), wrong)), fix };
  }
  // A parked domain needs no reports. Deletion of an invalid address improves nothing, so it does not change the status.
  const status = role === "parked" ? "warn" : "fail";
  const text = phrase("dmarc.publish_address");
  if (kind === "suffix") {
    const value = keepInForce(firstRecord(role, reportAddress), applied);
    const own = { name: `_dmarc.${domain}`, type: "TXT", value } as const;
    const fix = { ...(reportAddress !== undefined && { record: own }), ...fixFields(text) };
    return { status, ...observedFields(phrase("dmarc.registry_reports")), fix };
  }
  const known = reportAddress === undefined || repaired.some(isMail) ? [] : [mailtoUri(reportAddress)];
  const uris = [...repaired, ...known];
  const observed =
    record.rua.length === 0
      ? phrase("dmarc.no_reports")
      : listed(phrase("dmarc.no_usable_address"), record.rua);
  const value = changeTags(record, { rua: uris.join(",") });
  const fix = uris.some(isMail) ? replacement(applied, value, text) : fixFields(text);
  return { status, ...observedFields(observed), fix };
}

/** `auth.dmarc.removed_tags`. */
export function evaluateRemovedTags({ applied }: Subject): Evaluation {
  const { record } = applied;
  const found = removedTags.filter((name) => record.tags.some((tag) => tag.name === name));
  if (found.length === 0) return { status: "pass", ...observedFields(phrase("dmarc.no_removed_tags")) };
  const isPart = record.tags.some(({ name, value }) => name === "pct" && value !== "100");
  const observed = observedFields(
    isPart ? phrase("dmarc.removed_share", { tags: found }) : phrase("dmarc.removed_tags", { tags: found }),
  );
  if (applied.kind === "suffix") return { status: "warn", ...observed, fix: OWN_RECORD };
  const value = changeTags(record, Object.fromEntries(found.map((name) => [name, undefined])));
  return { status: "warn", ...observed, fix: replacement(applied, value, phrase("dmarc.publish_tested")) };
}

/** Replacement for the present record. */
function replacement({ site }: Pick<AppliedDmarc, "site">, value: string, text: Phrase) {
  return { record: { name: `_dmarc.${site.domain}`, type: "TXT", value }, ...fixFields(text) } as const;
}

/** A sentence that ends with the first addresses. */
function listed(beginning: Phrase, uris: readonly ReportUri[]): Phrase {
  const shown = uris.slice(0, MAX_SHOWN).map(({ text }) => ({ text: quotable(text) }));
  return phrases(
    beginning,
    ...shown.slice(0, -1).map((address) => phrase("dmarc.address", address)),
    ...shown.slice(-1).map((address) => phrase("dmarc.last_address", address)),
  );
}
