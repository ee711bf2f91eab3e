import { catalogueEntryOf } from "./blacklists/check-blacklists.ts";
import { isOpen, type ListChoice } from "./blacklists/open-lists.ts";
import type { CatalogueEntry, CheckId, DomainRole } from "./catalogue.ts";
import { catalogue } from "./catalogue.ts";
import { type DomainStatus, domainStatus } from "./domain-status.ts";
import { fixOrder } from "./fix-order.ts";
import { type LastResult, type Outcome, outcomesOf } from "./score/outcomes.ts";
import { type Score, scoreOf } from "./score/score.ts";
import { type Severity, severityOf } from "./severity.ts";
import { type StandingCheck, shownStatus } from "./standing-check.ts";

/** What a domain is judged by. */
export interface AssessedDomain {
  readonly role: DomainRole;
  readonly isPaused: boolean;
  readonly checks: readonly StandingCheck[];
  readonly lists: readonly ListChoice[];
  /** Until when a check counts for no finding. */
  readonly mutes: readonly { readonly checkId: string; readonly until: Date }[];
  readonly now: Date;
}

/** How a domain stands, and why. */
export interface Assessment {
  readonly status: DomainStatus;
  readonly score: Score;
  readonly outcomes: readonly Outcome[];
  /** Checks that fail or warn, and are not muted; in the order of the catalogue. */
  readonly findings: readonly { readonly checkId: CheckId; readonly severity: Severity }[];
  readonly topFindings: readonly {
    readonly checkId: CheckId;
    readonly severity: Severity;
    readonly title: string;
    readonly gain: number;
  }[];
}

/** Muted checks keep their points: the score says how the domain stands, and not what somebody wants to hear of it. */
export function assessDomain({ role, isPaused, checks, lists, mutes, now }: AssessedDomain): Assessment {
  const outcomes = outcomesOf({
    role,
    results: checks.map((check) => ({ id: check.id, status: shownStatus(check) })),
    lastResults: Object.fromEntries(
      checks.flatMap((check) => {
        const last = lastResultOf(check, now);
        return last ? [[check.id, last]] : [];
      }),
    ),
    blacklistWeights: Object.fromEntries(
      lists.filter(isOpen).map(({ list }) => [`bl.${list.id}` as const, list.weight]),
    ),
  });
  const muted = new Set(mutes.filter(({ until }) => until > now).map(({ checkId }) => checkId));
  const told = outcomes.filter(({ id }) => !muted.has(id));
  const titleOf = createTitleOf(lists);
  return {
    status: domainStatus({ isPaused, outcomes: told }),
    score: scoreOf(outcomes),
    outcomes,
    findings: told.flatMap((outcome) => {
      const severity = severityOf(outcome);
      return severity ? [{ checkId: outcome.id, severity }] : [];
    }),
    topFindings: fixOrder(outcomes, outcomes.length)
      .filter(({ id }) => !muted.has(id))
      .slice(0, TOP)
      .map(({ id, severity, gain }) => ({ checkId: id, severity, gain, title: titleOf(id) })),
  };
}

const TOP = 3;

/** Error aside, what a check held when it was measured last. */
function lastResultOf({ failing, known }: StandingCheck, now: Date): LastResult | undefined {
  if (!failing || !known) return undefined;
  return { status: known.status, ageMs: now.getTime() - known.at.getTime() };
}

/** What a check is about, weighs, and where that is written; undefined: nobody knows of such a check. */
export function createEntryOf(lists: readonly ListChoice[]): (id: CheckId) => CatalogueEntry | undefined {
  const ofLists = new Map(lists.map(({ list }) => [`bl.${list.id}`, catalogueEntryOf(list)]));
  return (id) => (catalogue as Readonly<Record<string, CatalogueEntry>>)[id] ?? ofLists.get(id);
}

function createTitleOf(lists: readonly ListChoice[]): (id: CheckId) => string {
  const entryOf = createEntryOf(lists);
  return (id) => entryOf(id)?.title ?? id;
}
