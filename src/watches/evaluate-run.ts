import { type Assessment, assessDomain, createEntryOf, findingsOf } from "../intel/assess-domain.ts";
import type { ListChoice } from "../intel/blacklists/open-lists.ts";
import type { CheckId } from "../intel/catalogue.ts";
import { coverageOf } from "../intel/score/score.ts";
import type { Severity } from "../intel/severity.ts";
import type { StandingCheck } from "../intel/standing-check.ts";
import { createIdsInOrder } from "../shared/ids.ts";
import { NO_PHRASE, type Phrase, phrase, phrases } from "../shared/phrase.ts";
import type {
  DomainStanding,
  ScorePointDocument,
  WatchChangeDocument,
  WatchedDomainDocument,
} from "../store/intel-documents.ts";
import { subjectOf } from "../store/subject-watches.ts";
import type { RunResult } from "../store/watch-runs.ts";
import type { OutboxEvent } from "../store/webhook-delivery-documents.ts";
import { failuresAfter, nextCheck } from "./next-check.ts";

/** Subject of the domain that a blacklist lists. */
export interface OpenListing {
  /** Key of the blacklist state. */
  readonly key: string;
  readonly listId: string;
  readonly subject: string;
  readonly meaning: string;
}

export interface EvaluatedRun {
  readonly domain: WatchedDomainDocument;
  readonly former: readonly StandingCheck[];
  readonly checks: readonly StandingCheck[];
  readonly lists: readonly ListChoice[];
  readonly listings: readonly OpenListing[];
  /** Listings of the previous check. */
  readonly formerListings: readonly string[];
  readonly now: Date;
  /** Retention of score points and changes, in milliseconds. */
  readonly keptMs: number;
}

/** Evaluates a check of a domain: its status, the changes, the events for subscribers, and the time of the next check. */
export function evaluateRun(run: EvaluatedRun): RunResult {
  const { domain, former, checks, lists, listings, now } = run;
  const { role, paused: isPaused, mutes } = domain;
  const standing = standingOf(assessDomain({ role, isPaused, checks, lists, mutes, now }), checks, listings);
  const isFirst = former.length === 0;
  const changes = documentsOf(run, [
    ...statusChange(domain, standing.status),
    // After the first check only the status is reported. The findings existed before.
    ...(isFirst ? [] : findingChanges(run)),
    ...listingChanges(run),
  ]);
  const failures = failuresAfter(domain.failures, checks);
  return {
    standing,
    checks,
    checkedAt: now,
    failures,
    changes,
    listed: listings.map(({ key }) => key),
    dueAt: nextCheck(domain._id, checks, failures, now),
    events: changes.map(eventOf),
    ...(hasMoved(domain, standing) && { point: pointOf(run, standing) }),
  };
}

function standingOf(
  { status, score, findings, repairs, topFindings, outcomes }: Assessment,
  checks: readonly StandingCheck[],
  listings: readonly OpenListing[],
): DomainStanding {
  const count = (severity: Severity) => findings.filter((one) => one.severity === severity).length;
  const counts = new Set(outcomes.map(({ id }) => id));
  const failing = checks.filter(({ id, failing: isFailing }) => isFailing && counts.has(id));
  const failure = failedChecks(failing);
  return {
    status,
    score: score.score,
    grade: score.grade,
    scoreModel: score.scoreModel,
    coverage: outcomes.length > 0 ? coverageOf(outcomes) : null,
    findings: { critical: count("critical"), warning: count("warning"), info: count("info") },
    findingIds: findings.map(({ checkId }) => checkId),
    topFindings: [...topFindings],
    repairs: [...repairs],
    listings: listings.length,
    lastError: failure.text || null,
    lastErrorParts: failure.parts,
  };
}

/** Why the first of these checks could not run, and the number of others. */
function failedChecks([first, ...others]: readonly StandingCheck[]): Phrase {
  if (!first?.failing) return NO_PHRASE;
  const { observed: text, observedParts: parts = [] } = first.failing;
  const count = others.length;
  return phrases(
    { text, parts },
    count === 1 && phrase("check.other_failed"),
    count > 1 && phrase("check.others_failed", { count }),
  );
}

function hasMoved(before: WatchedDomainDocument, after: DomainStanding): boolean {
  return (
    before.score !== after.score ||
    before.status !== after.status ||
    before.coverage !== after.coverage ||
    before.scoreModel !== after.scoreModel
  );
}

function pointOf({ domain, now, keptMs }: EvaluatedRun, standing: DomainStanding): ScorePointDocument {
  const { _id: domainId, accountId, workspaceId } = domain;
  const { status, score, coverage, scoreModel } = standing;
  return {
    _id: `${domainId}.${now.getTime()}`,
    accountId,
    workspaceId,
    domainId,
    at: now,
    status,
    score,
    coverage,
    scoreModel: scoreModel ?? "",
    expireAt: new Date(now.getTime() + keptMs),
  };
}

const FOREVER = new Date(8.64e15);

type Change = Pick<WatchChangeDocument, "kind" | "text"> &
  Partial<Pick<WatchChangeDocument, "checkId" | "severity" | "from" | "to" | "list" | "subject">>;

/**
 * A muted finding is not reported as opened during the mute, but it is reported as resolved, because it may have been reported
 * before. A check that cannot be measured now is not resolved.
 */
function findingChanges({ domain, former, checks, lists, now }: EvaluatedRun): Change[] {
  const { role, mutes } = domain;
  const severitiesOf = (of: readonly StandingCheck[], muted: typeof mutes) => {
    const findings = findingsOf({ role, checks: of, lists, mutes: muted, now });
    return new Map(findings.map(({ checkId, severity }) => [checkId, severity]));
  };
  const entryOf = createEntryOf(lists);
  const standingOfId = (id: CheckId) => checks.find((check) => check.id === id);
  const observedOf = (id: CheckId) => standingOfId(id)?.known?.observed ?? "";
  const titleOf = (id: CheckId) => entryOf(id)?.title ?? id;
  // A mute that has ended since was still active at the previous check.
  const mutedBefore = mutes.map(({ checkId }) => ({ checkId, until: FOREVER }));
  const reportedBefore = severitiesOf(former, mutedBefore);
  const opened = [...severitiesOf(checks, mutes)].filter(
    ([id, severity]) => reportedBefore.get(id) !== severity,
  );
  const present = severitiesOf(checks, []);
  const resolved = [...severitiesOf(former, [])].filter(
    ([id]) => !present.has(id) && !standingOfId(id)?.failing,
  );
  return [
    ...opened.map(([checkId, severity]): Change => {
      const text = `${domain.name}: "${titleOf(checkId)}" is not met: ${observedOf(checkId)}`;
      return { kind: "finding.opened", checkId, severity, text };
    }),
    ...resolved.map(([checkId, severity]): Change => {
      const text = `${domain.name}: "${titleOf(checkId)}" is met again or no longer applies: ${observedOf(checkId)}`;
      return { kind: "finding.resolved", checkId, severity, text };
    }),
  ];
}

function listingChanges({ domain, lists, listings, formerListings }: EvaluatedRun): Change[] {
  const nameOf = (id: string) => lists.find(({ list }) => list.id === id)?.list.name ?? id;
  const present = new Set(listings.map(({ key }) => key));
  return [
    ...listings
      .filter(({ key }) => !formerListings.includes(key))
      .map(({ listId: list, subject, meaning }): Change => {
        const text = `${nameOf(list)} lists ${subject} (${meaning}). Affected domain: ${domain.name}.`;
        return { kind: "blacklist.listed", list, subject, text };
      }),
    ...formerListings
      .filter((key) => !present.has(key) && domain.subjects.includes(key))
      .map((key): Change => {
        const { listId: list, subject } = subjectOf(key);
        const text = `${nameOf(list)} no longer lists ${subject}. Affected domain: ${domain.name}.`;
        return { kind: "blacklist.delisted", list, subject, text };
      }),
  ];
}

function statusChange(domain: WatchedDomainDocument, to: DomainStanding["status"]): Change[] {
  const { status: from, name } = domain;
  if (from === to || to === "paused" || to === "pending") return [];
  return [
    {
      kind: "watched_domain.status_changed",
      from,
      to,
      text: `The status of ${name} changed from ${from} to ${to}.`,
    },
  ];
}

function documentsOf(
  { domain, now, keptMs }: EvaluatedRun,
  changes: readonly Change[],
): WatchChangeDocument[] {
  const { _id: domainId, accountId, workspaceId, clientId, name } = domain;
  const expireAt = new Date(now.getTime() + keptMs);
  // In the order in which they are reported.
  const nextId = createIdsInOrder("wch");
  return changes.map((change) => ({
    _id: nextId(now),
    accountId,
    workspaceId,
    clientId,
    domainId,
    domain: name,
    at: now,
    ...change,
    unalerted: true as const,
    expireAt,
  }));
}

function eventOf(change: WatchChangeDocument): OutboxEvent {
  const { _id: eventId, accountId: _, at, kind: type, unalerted: __, expireAt: ___, ...reported } = change;
  return { eventId, type, at, subject: { kind: "watch", change: reported } };
}
