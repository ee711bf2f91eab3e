import type { IntelReport } from "../../../contracts/common/intel-report-schemas.ts";
import type { DomainFacts } from "./domain-facts.ts";
import { createDayOf } from "./report-days.ts";
import type { HistoryPoint, ReportInputs } from "./report-inputs.ts";
import { meanOf, rounded } from "./rounded.ts";

type Series = NonNullable<IntelReport["history"]>[number];
type Point = Series["points"][number];

/** State of a domain at the end of each known day, in order. */
type Days = ReadonlyMap<string, HistoryPoint>;

/** The mean of all domains, then each domain's own series, in the order of `facts`. */
export function historySeries(
  facts: readonly DomainFacts[],
  { period, timezone }: Pick<ReportInputs, "period" | "timezone">,
): Series[] {
  const dayOf = createDayOf(timezone);
  const histories = facts.map(({ domain }) => {
    const points = domain.history.toSorted((one, other) => one.at.getTime() - other.at.getTime());
    const within = points.filter(({ at }) => at >= period.from && at < period.to);
    return {
      domain,
      before: points.findLast(({ at }) => at < period.from),
      days: new Map(within.map((point) => [dayOf(point.at), point])),
    };
  });
  const series = histories.map(({ domain, days }) => ({
    domain_id: domain.id,
    domain: domain.name,
    points: [...days].map(([date, point]) => pointOf(date, [point])),
  }));
  return [{ domain_id: null, domain: null, points: meanPoints(histories) }, ...series];
}

/**
 * A domain without a check on a day keeps its last state. If the model changes within a day, the mean includes only
 * the domains with a score of the later model.
 */
function meanPoints(
  histories: readonly { readonly before: HistoryPoint | undefined; readonly days: Days }[],
) {
  const days = [...new Set(histories.flatMap(({ days }) => [...days.keys()]))].sort();
  const last = histories.map(({ before }) => before);
  return days.map((date) => {
    for (const [index, { days }] of histories.entries()) last[index] = days.get(date) ?? last[index];
    const known = last.filter((point) => point !== undefined);
    const model = known.map(({ scoreModel }) => scoreModel).reduce(laterModel);
    return pointOf(
      date,
      known.filter(({ scoreModel }) => scoreModel === model),
    );
  });
}

function pointOf(date: string, points: readonly HistoryPoint[]): Point {
  const scores = points.flatMap(({ score }) => (score === null ? [] : [score]));
  return {
    date,
    score: meanOf(scores, 1),
    coverage: rounded(
      meanOf(
        points.map(({ coverage }) => coverage),
        6,
      ) ?? 0,
      3,
    ),
    score_model: points[0]?.scoreModel ?? "",
    domains: points.length,
  };
}

/** Models are numbered. */
function laterModel(one: string, other: string): string {
  return Number(other) > Number(one) ? other : one;
}
