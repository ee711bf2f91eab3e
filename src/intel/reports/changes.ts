import type { IntelReport } from "../../../contracts/common/intel-report-schemas.ts";
import { MAX_HISTORY_POINTS } from "../../shared/intel-retention.ts";
import type { TitleOf } from "./check-titles.ts";
import { createDayOf } from "./report-days.ts";
import type { ReportDomain, ReportInputs } from "./report-inputs.ts";

type Change = NonNullable<IntelReport["changes"]>[number];
type ChangeOf<Kind extends Change["kind"]> = Pick<Change, "text"> & {
  readonly at: Date;
  readonly kind: Kind;
};

/** Daily change in points from which on it is reported. */
const LEAST_STEP = 5;

/** Changes within the period, the latest first. */
export function changes(inputs: ReportInputs, titleOf: TitleOf): Change[] {
  const { domains, period } = inputs;
  const isWithin = ({ at }: { readonly at: Date }) => at >= period.from && at < period.to;
  const ofDomains = domains.flatMap((domain) => {
    // The state that the first check run finds is no change.
    const firstMs = firstPointMs(domain);
    const isLater = ({ at, kind }: ChangeOf<Change["kind"]>) =>
      (kind !== "status" && kind !== "finding_opened") || at.getTime() > firstMs;
    return [
      ...scoreChanges(domain, inputs),
      ...domain.statusChanges.map(({ at, from, to }) => ({
        at,
        kind: "status" as const,
        text: `The status of the domain changed from ${from} to ${to}.`,
      })),
      ...findingChanges(domain, titleOf),
    ]
      .filter(isWithin)
      .filter(isLater)
      .map((change) => written(change, domain));
  });
  const ofLists = listingChanges(inputs).filter(
    ({ at }) => at >= period.from.toISOString() && at < period.to.toISOString(),
  );
  return [...ofDomains, ...ofLists].sort(byTime);
}

/** Time of the first history point. Earlier than any time if unknown, because a long history is cut at its beginning. */
function firstPointMs({ history }: ReportDomain): number {
  if (history.length === 0 || history.length >= MAX_HISTORY_POINTS) return Number.NEGATIVE_INFINITY;
  return Math.min(...history.map(({ at }) => at.getTime()));
}

function written({ at, kind, text }: ChangeOf<Change["kind"]>, domain: ReportDomain | undefined): Change {
  return {
    at: at.toISOString(),
    domain_id: domain?.id ?? null,
    domain: domain?.name ?? null,
    kind,
    text,
  };
}

/** Compares the ends of consecutive days with a known score, so that a toggling result is not reported repeatedly. */
function scoreChanges({ history }: ReportDomain, { timezone }: ReportInputs): ChangeOf<"score">[] {
  const dayOf = createDayOf(timezone);
  const points = history.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const days = [...new Map(points.map((point) => [dayOf(point.at), point])).values()];
  return days.flatMap((point, index) => {
    const former = days[index - 1];
    if (!former || former.score === null || point.score === null) return [];
    if (former.scoreModel !== point.scoreModel) {
      const text = `The score is ${point.score} by model ${point.scoreModel}. It was ${former.score} by model ${former.scoreModel}, which is not comparable.`;
      return [{ at: point.at, kind: "score" as const, text }];
    }
    if (Math.abs(point.score - former.score) < LEAST_STEP) return [];
    const direction = point.score > former.score ? "rose" : "fell";
    return [
      {
        at: point.at,
        kind: "score" as const,
        text: `The score ${direction} from ${former.score} to ${point.score}.`,
      },
    ];
  });
}

function findingChanges({ findings }: ReportDomain, titleOf: TitleOf) {
  return findings.flatMap(({ checkId, severity, openedAt, resolvedAt }) => {
    const { title } = titleOf(checkId);
    const opened = {
      at: openedAt,
      kind: "finding_opened" as const,
      text: `New finding (${severity}): “${title}” is not met.`,
    };
    const text = `Finding resolved (${severity}): “${title}” is met.`;
    return resolvedAt === undefined
      ? [opened]
      : [opened, { at: resolvedAt, kind: "finding_resolved" as const, text }];
  });
}

/** The domain is named if the subject belongs to no other domain. */
function listingChanges({ listingEvents, standings, domains, lists }: ReportInputs): Change[] {
  const named = new Map(domains.map((domain) => [domain.id, domain]));
  const listNames = new Map(lists.map(({ list }) => [list.id, list.name]));
  const domainIds = new Map(standings.map((one) => [`${one.listId} ${one.subject}`, one.domainIds]));
  return listingEvents.map(({ type, listId, subject, at, listing }) => {
    const [only, ...others] = domainIds.get(`${listId} ${subject}`) ?? [];
    const name = listNames.get(listId) ?? listId;
    const codes = [...new Set(listing.codes.map(({ code, meaning }) => `${code}, ${meaning}`))].join("; ");
    const change =
      type === "blacklist.listed"
        ? ({ at, kind: "listed", text: `${name} lists ${subject}${codes && ` (${codes})`}.` } as const)
        : ({ at, kind: "delisted", text: `${name} no longer lists ${subject}.` } as const);
    return written(change, only !== undefined && others.length === 0 ? named.get(only) : undefined);
  });
}

function byTime(one: Change, other: Change): number {
  if (one.at !== other.at) return one.at < other.at ? 1 : -1;
  const key = ({ domain, kind, text }: Change) => `${domain ?? ""} ${kind} ${text}`;
  return key(one) < key(other) ? -1 : 1;
}
