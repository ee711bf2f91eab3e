import { catalogueEntryOf } from "./blacklists/check-blacklists.ts";
import { isOpen, type ListChoice } from "./blacklists/open-lists.ts";
import type { CatalogueEntry, CheckId, DomainRole } from "./catalogue.ts";
import { catalogue } from "./catalogue.ts";
import { type DomainStatus, domainStatus } from "./domain-status.ts";
import { fixOrder } from "./fix-order.ts";
import { type DomainResults, type Outcome, outcomesOf } from "./score/outcomes.ts";
import { type Score, scoreOf } from "./score/score.ts";
import { type Severity, severityOf } from "./severity.ts";
import { type CheckOutcome, isOverBudget, shownStatus } from "./standing-check.ts";

/** Input for the assessment of a domain. */
export interface AssessedDomain {
  readonly role: DomainRole;
  readonly isPaused: boolean;
  readonly checks: readonly CheckOutcome[];
  readonly lists: readonly ListChoice[];
  /** Mutes of checks. A muted check is no finding until this time. */
  readonly mutes: readonly { readonly checkId: string; readonly until: Date }[];
  readonly now: Date;
}

/** Status, score and findings of a domain. */
export interface Assessment {
  readonly status: DomainStatus;
  readonly score: Score;
  readonly outcomes: readonly Outcome[];
  /** Checks that fail or warn and are not muted, in the order of the catalogue. */
  readonly findings: readonly { readonly checkId: CheckId; readonly severity: Severity }[];
  /** The same, in the order of `fixOrder`, with the gain of each repair. */
  readonly repairs: readonly Repair[];
  readonly topFindings: readonly (Repair & { readonly title: string })[];
}

/** A finding, and the points that the score gains with its repair. */
export interface Repair {
  readonly checkId: CheckId;
  readonly severity: Severity;
  /** In points, with one decimal. */
  readonly gain: number;
}

/** Assesses a domain. Muted checks keep their points: a mute hides a finding and does not change the score. */
export function assessDomain(domain: AssessedDomain): Assessment {
  const { isPaused, lists, mutes, now } = domain;
  const outcomes = outcomesOf(resultsOf(domain));
  const texts = outcomes.filter(({ id }) => mutedUntil(mutes, id, now) === undefined);
  const titleOf = createTitleOf(lists);
  const repairs = fixOrder(outcomes, outcomes.length)
    .filter(({ id }) => mutedUntil(mutes, id, now) === undefined)
    .map(({ id: checkId, severity, gain }) => ({ checkId, severity, gain }));
  return {
    status: domainStatus({ isPaused, outcomes: texts }),
    score: scoreOf(outcomes),
    outcomes,
    findings: findingsAmong(texts),
    repairs,
    topFindings: repairs.slice(0, TOP).map((repair) => ({ ...repair, title: titleOf(repair.checkId) })),
  };
}

const TOP = 3;

/** The findings of an assessment without the score, which takes much longer to compute. */
export function findingsOf(domain: Omit<AssessedDomain, "isPaused">): Assessment["findings"] {
  const { mutes, now } = domain;
  const outcomes = outcomesOf(resultsOf(domain));
  return findingsAmong(outcomes.filter(({ id }) => mutedUntil(mutes, id, now) === undefined));
}

function findingsAmong(texts: readonly Outcome[]): Assessment["findings"] {
  return texts.flatMap((outcome) => {
    const severity = severityOf(outcome);
    return severity ? [{ checkId: outcome.id, severity }] : [];
  });
}

/** End of the mute of a check; undefined: the check is not muted. */
export function mutedUntil(mutes: AssessedDomain["mutes"], id: string, now: Date): Date | undefined {
  return mutes.find(({ checkId, until }) => checkId === id && until > now)?.until;
}

/** Check results from which the score of a domain is computed. */
export function resultsOf({
  role,
  checks,
  lists,
  now,
}: Pick<AssessedDomain, "role" | "checks" | "lists" | "now">): DomainResults {
  return {
    role,
    results: checks.map((check) => ({ id: check.id, status: shownStatus(check) })),
    lastResults: Object.fromEntries(
      checks.flatMap(({ id, failing, known }) =>
        failing && known ? [[id, { status: known.status, ageMs: now.getTime() - known.at.getTime() }]] : [],
      ),
    ),
    overBudget: checks.filter(isOverBudget).map(({ id }) => id),
    blacklistWeights: Object.fromEntries(
      lists.filter(isOpen).map(({ list }) => [`bl.${list.id}` as const, list.weight]),
    ),
  };
}

/** Returns the catalogue entry of a check: category, weight, title and reference. Undefined for an unknown check. */
export function createEntryOf(lists: readonly ListChoice[]): (id: CheckId) => CatalogueEntry | undefined {
  const ofLists = new Map(lists.map(({ list }) => [`bl.${list.id}`, catalogueEntryOf(list)]));
  return (id) => (catalogue as Readonly<Record<string, CatalogueEntry>>)[id] ?? ofLists.get(id);
}

function createTitleOf(lists: readonly ListChoice[]): (id: CheckId) => string {
  const entryOf = createEntryOf(lists);
  return (id) => entryOf(id)?.title ?? id;
}
