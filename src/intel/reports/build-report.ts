import type { IntelReport } from "../../../contracts/common/intel-report-schemas.ts";
import { type ReportSection, reportSections } from "../../../contracts/common/report-section-names.ts";
import { domainStatuses } from "../domain-status.ts";
import { evaluateRules } from "../provider-rules/evaluate-rules.ts";
import { type BlacklistEntry, blacklistEntries, methodLists } from "./blacklist-entries.ts";
import { changes } from "./changes.ts";
import { createTitleOf } from "./check-titles.ts";
import { dmarcSources } from "./dmarc-sources.ts";
import { countFindings, type DomainFacts, domainFacts } from "./domain-facts.ts";
import { findings, fixes, notMeasured } from "./findings.ts";
import { hashInputs } from "./hash-inputs.ts";
import { historySeries } from "./history.ts";
import type { ReportInputs } from "./report-inputs.ts";
import { meanOf, rounded } from "./rounded.ts";
import { scoreMethod } from "./score-method.ts";
import { sendingEntries } from "./sending-entries.ts";

/** Maximum number of list entries. `left_out` counts the others. */
const MOST: Readonly<Record<ReportSection, number>> = {
  // The mean, and 100 domains.
  history: 101,
  changes: 1_000,
  domains: 2_000,
  blacklists: 2_000,
  provider_rules: 10_000,
  sending: 2_000,
  dmarc: 2_000,
  findings: 5_000,
  fixes: 2_000,
  not_measured: 5_000,
  method: 1,
};
const TOP_FIXES = 3;

type Lists = { [Name in Exclude<ReportSection, "method">]: NonNullable<IntelReport[Name]> };

/** Builds the report. The same inputs give the same report, with the same JSON. */
export function buildReport(inputs: ReportInputs): IntelReport {
  const { id, generatedAt, scope, period, timezone, locale, branding, sections = reportSections } = inputs;
  const facts = domainFacts(inputs);
  const titleOf = createTitleOf(inputs.lists);
  const parts = { facts, titleOf, now: generatedAt };
  const entries = blacklistEntries(inputs);
  const allFixes = fixes(parts);
  const makers: { readonly [Name in keyof Lists]: () => Lists[Name] } = {
    history: () => historySeries(facts, inputs),
    changes: () => changes(inputs, titleOf),
    domains: () => facts.map((one) => domainEntry(one, generatedAt)),
    blacklists: () => entries,
    provider_rules: () => providerRules(facts),
    sending: () => sendingEntries(inputs),
    dmarc: () => dmarcSources(inputs),
    findings: () => findings(parts),
    fixes: () => allFixes,
    not_measured: () => notMeasured(parts),
  };
  const leftOut = Object.fromEntries(reportSections.map((name) => [name, 0])) as Record<
    ReportSection,
    number
  >;
  const list = <Name extends keyof Lists>(name: Name): Lists[Name] | null => {
    if (!sections.includes(name)) return null;
    const all = makers[name]();
    leftOut[name] = Math.max(0, all.length - MOST[name]);
    return all.slice(0, MOST[name]) as Lists[Name];
  };

  return {
    id,
    schema_version: "1",
    generated_at: generatedAt.toISOString(),
    scope: { type: scope.type, id: scope.id, name: scope.name },
    period: { from: period.from.toISOString(), to: period.to.toISOString() },
    timezone,
    locale,
    branding: { name: branding?.name ?? null, color: branding?.color ?? null },
    inputs_hash: hashInputs(inputs),
    sections: reportSections.filter((name) => sections.includes(name)),
    summary: summaryOf(facts, entries, generatedAt),
    top_fixes: allFixes.slice(0, TOP_FIXES),
    history: list("history"),
    changes: list("changes"),
    domains: list("domains"),
    blacklists: list("blacklists"),
    provider_rules: list("provider_rules"),
    sending: list("sending"),
    dmarc: list("dmarc"),
    findings: list("findings"),
    fixes: list("fixes"),
    not_measured: list("not_measured"),
    method: sections.includes("method") ? methodOf(inputs, facts, entries) : null,
    left_out: leftOut,
  };
}

function summaryOf(
  facts: readonly DomainFacts[],
  entries: readonly BlacklistEntry[],
  now: Date,
): IntelReport["summary"] {
  const scores = facts.flatMap(({ score: { score } }) => score ?? []);
  const findings = { critical: 0, warning: 0, info: 0 };
  for (const one of facts) {
    const counts = countFindings(one, now);
    for (const severity of ["critical", "warning", "info"] as const) findings[severity] += counts[severity];
  }
  const statuses = domainStatuses.map((status) => [
    status,
    facts.filter((one) => one.status === status).length,
  ]);
  return {
    domains: facts.length,
    domains_by_status: Object.fromEntries(statuses),
    score: meanOf(scores, 1),
    domains_scored: scores.length,
    grade: facts.length === 1 ? (facts[0]?.score.grade ?? null) : null,
    coverage: meanOf(
      facts.map(({ score: { coverage } }) => coverage),
      3,
    ),
    score_delta: meanOf(
      facts.flatMap(({ delta }) => delta ?? []),
      1,
    ),
    listings_open: entries.filter(({ state }) => state === "listed").length,
    findings,
  };
}

function domainEntry(facts: DomainFacts, now: Date): Lists["domains"][number] {
  const { domain, status, score, delta } = facts;
  return {
    id: domain.id,
    name: domain.name,
    client: domain.client ? { id: domain.client.id, name: domain.client.name } : null,
    role: domain.role,
    status,
    score: score.score,
    grade: score.grade,
    coverage: rounded(score.coverage, 3),
    score_model: score.scoreModel,
    score_delta: delta,
    findings: countFindings(facts, now),
    caps: score.caps.map(({ id, limit, reason }) => ({ id, limit, reason })),
    checked_at: domain.checkedAt?.toISOString() ?? null,
  };
}

function providerRules(facts: readonly DomainFacts[]): Lists["provider_rules"] {
  return facts
    .filter(({ domain }) => domain.role === "sending")
    .flatMap(({ domain, outcomes }) =>
      evaluateRules(outcomes, domain.sendingFacts ?? {}).map(({ ruleCheckedAt, evidence, ...rule }) => ({
        domain_id: domain.id,
        domain: domain.name,
        provider: rule.provider,
        rule: rule.rule,
        requirement: rule.requirement,
        status: rule.status,
        evidence: [...evidence],
        source: rule.source,
        rule_checked_at: ruleCheckedAt,
      })),
    );
}

function methodOf(
  { method, lists }: ReportInputs,
  facts: readonly DomainFacts[],
  entries: readonly BlacklistEntry[],
): NonNullable<IntelReport["method"]> {
  const checkTimes = facts.flatMap(({ domain }) => domain.checkedAt?.toISOString() ?? []).sort();
  const rules = providerRules(facts).map(({ rule_checked_at: day }) => day);
  return {
    ...scoreMethod(),
    resolver: method.resolver,
    checked_from: checkTimes[0] ?? null,
    checked_to: checkTimes.at(-1) ?? null,
    rules_checked_at: rules.sort()[0] ?? null,
    lists_version: method.listsVersion,
    lists: methodLists(lists, entries),
  };
}
