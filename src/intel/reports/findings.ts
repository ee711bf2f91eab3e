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

/** A finding with its domain and the last result that found it. */
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

/** All open findings, what is worth most first. */
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
      observed: boundedText(result?.observed ?? "The check has no result any more."),
      expected: boundedText(result?.expected ?? title),
      since: interval?.openedAt.toISOString() ?? null,
      gain: worth.gain,
      reference,
      fix: result?.fix ? { text: boundedText(result.fix.text), record: result.fix.record ?? null } : null,
      muted_until: isMuted(facts, worth.id, parts.now) ? (interval?.mutedUntil?.toISOString() ?? null) : null,
    };
  });
}

/** Repairs of what is not muted, the largest gain first. */
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

/** What scores do not have in them. */
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
        why: boundedText(results.get(id)?.observed ?? "It was not looked at yet."),
      }));
  });
}

const BY_SEVERITY = ["critical", "warning", "info"];

/** By gain, then by severity; those of one domain keep the order of what each would gain without caps. */
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
