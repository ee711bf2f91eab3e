import type { IntelReport } from "../../../contracts/common/intel-report-schemas.ts";
import type { FixWorth } from "../fix-order.ts";
import { boundedText } from "./bounded-text.ts";
import type { TitleOf } from "./check-titles.ts";
import { type DomainFacts, isMuted } from "./domain-facts.ts";
import type { ReportDomain } from "./report-inputs.ts";
import { responsibleFor } from "./responsible.ts";

type Finding = NonNullable<IntelReport["findings"]>[number];
type Fix = NonNullable<IntelReport["fixes"]>[number];
type NotMeasured = NonNullable<IntelReport["not_measured"]>[number];

/** A finding with its domain and its last result. */
interface Ranked {
  readonly facts: DomainFacts;
  readonly worth: FixWorth;
  readonly result: ReportDomain["results"][number] | undefined;
}

export interface FindingParts {
  readonly facts: readonly DomainFacts[];
  readonly titleOf: TitleOf;
  readonly now: Date;
}

/** All open findings, the most valuable fix first. */
export function findings(parts: FindingParts): Finding[] {
  return ranked(parts).map(({ facts, worth, result }) => {
    const { domain, intervals } = facts;
    const { title, reference, category } = parts.titleOf(worth.id);
    const interval = intervals.get(worth.id);
    return {
      domain_id: domain.id,
      domain: domain.name,
      check_id: worth.id,
      category,
      title,
      severity: worth.severity,
      status: result?.status ?? "not_tested",
      observed: boundedText(result?.observed ?? "The check no longer has a result."),
      expected: boundedText(result?.expected ?? title),
      since: interval?.openedAt.toISOString() ?? null,
      gain: worth.gain,
      reference,
      fix: result?.fix ? { text: boundedText(result.fix.text), record: result.fix.record ?? null } : null,
      muted_until: isMuted(facts, worth.id, parts.now) ? (interval?.mutedUntil?.toISOString() ?? null) : null,
    };
  });
}

/** Fixes of findings that are not muted, the largest gain first. */
export function fixes(parts: FindingParts): Fix[] {
  return ranked(parts).flatMap(({ facts, worth, result }) => {
    const { domain } = facts;
    if (!result?.fix || isMuted(facts, worth.id, parts.now)) return [];
    return {
      check_id: worth.id,
      title: parts.titleOf(worth.id).title,
      domain_id: domain.id,
      domain: domain.name,
      severity: worth.severity,
      gain: worth.gain,
      opens: [...worth.opens],
      responsible: responsibleFor(worth.id),
      text: boundedText(result.fix.text),
      record: result.fix.record ?? null,
    };
  });
}

/** Checks that no score includes. */
export function notMeasured({ facts, titleOf }: Omit<FindingParts, "now">): NotMeasured[] {
  return facts.toSorted(byName).flatMap(({ domain, outcomes }) => {
    const results = new Map(domain.results.map((result) => [result.id, result]));
    return outcomes
      .filter(({ kind }) => kind === "unmeasured")
      .map(({ id, status }) => ({
        domain_id: domain.id,
        domain: domain.name,
        check_id: id,
        title: titleOf(id).title,
        status: status === "error" ? ("error" as const) : ("not_tested" as const),
        why: boundedText(results.get(id)?.observed ?? "The check has not run yet."),
      }));
  });
}

const BY_SEVERITY = ["critical", "warning", "info"];

/** By gain, then by severity. The findings of one domain keep the order of their gains without caps. */
function ranked({ facts }: FindingParts): Ranked[] {
  return facts
    .toSorted(byName)
    .flatMap((one) => {
      const results = new Map(one.domain.results.map((result) => [result.id, result]));
      return one.worths.map((worth) => ({ facts: one, worth, result: results.get(worth.id) }));
    })
    .sort(
      ({ worth: one }, { worth: other }) =>
        other.gain - one.gain || BY_SEVERITY.indexOf(one.severity) - BY_SEVERITY.indexOf(other.severity),
    );
}

function byName({ domain: one }: DomainFacts, { domain: other }: DomainFacts): number {
  return one.name < other.name ? -1 : 1;
}
