import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  CheckEvidenceSchema,
  CheckFixSchema,
  CheckSchema,
  ScoreDetailsSchema,
  ScorePointSchema,
  WatchChangeSchema,
  WatchedDomainSchema,
} from "../../../gen/hermod/watch/v1/watch_service_pb.ts";
import { assessDomain, createEntryOf, mutedUntil } from "../../intel/assess-domain.ts";
import type { ListChoice } from "../../intel/blacklists/open-lists.ts";
import type { CheckId } from "../../intel/catalogue.ts";
import { type Evidence, type Fix, type FixRecord, observedFields } from "../../intel/check-result.ts";
import { checkParts } from "../../intel/run-checks.ts";
import type { Score } from "../../intel/score/score.ts";
import { severityOf } from "../../intel/severity.ts";
import { type StandingCheck, shownStatus } from "../../intel/standing-check.ts";
import { quotedStrings } from "../../message/dkim/keys.ts";
import type { ReportAddresses } from "../../message/dsn/report-address.ts";
import { phrase } from "../../shared/phrase.ts";
import { unicodeName } from "../../shared/unicode-name.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type {
  ScorePointDocument,
  WatchChangeDocument,
  WatchedDomainDocument,
} from "../../store/intel-documents.ts";
import { watchRevision } from "../../store/revisions.ts";
import { toTextParts } from "../text-parts.ts";

/** Facts about a domain that its document does not contain. */
export interface WatchFacts {
  readonly isHosted: boolean;
  /** Score point of seven days ago; null: there is none. */
  readonly pointBefore: ScorePointDocument | null;
  readonly reportAddresses: ReportAddresses | undefined;
  /** Missing: the progress of a running check is not shown. */
  readonly now?: Date;
}

/** Longer than any check: the process of an older one has ended. */
const LONGEST_CHECK_MS = 5 * 60_000;

export function toWatchedDomain(
  domain: WatchedDomainDocument,
  { isHosted, pointBefore, reportAddresses, now }: WatchFacts,
) {
  const { _id: id, workspaceId, clientId, name, role, status, score, grade, coverage, scoreModel } = domain;
  const {
    dkimSelectors,
    sendingIps,
    paused,
    checkedAt,
    dueAt,
    lastError,
    reportedAt,
    findings,
    topFindings,
  } = domain;
  const addresses = reportAddresses?.encode(id);
  return {
    id,
    workspaceId,
    clientId,
    name,
    role,
    status,
    paused,
    findings: { ...findings },
    nameUnicode: unicodeName(name),
    ...withoutUndefined({
      score: score ?? undefined,
      grade: grade ?? undefined,
      coverage: coverage === null ? undefined : Math.round(coverage * 10_000) / 10_000,
      scoreModel: scoreModel ?? undefined,
      scoreDelta7d: deltaOf(domain, pointBefore),
      lastError: lastError ?? undefined,
      checkedAt: checkedAt && timestampFromDate(checkedAt),
      nextCheckAt: dueAt && timestampFromDate(dueAt),
      dmarcReportAddress: addresses?.dmarc,
      tlsReportAddress: addresses?.tls,
      reportedAt: reportedAt && timestampFromDate(reportedAt),
      notes: domain.notes || undefined,
      checking: now && toProgress(domain, now),
    }),
    dkimSelectors: [...dkimSelectors],
    sendingIps: [...sendingIps],
    tags: [...(domain.tags ?? [])],
    topFindings: topFindings.map((finding) => ({ ...finding })),
    listingsOpen: domain.listings,
    lastErrorParts: toTextParts(domain.lastErrorParts ?? []),
    hostedByHermod: isHosted,
    createdAt: timestampFromDate(domain.createdAt),
    updatedAt: timestampFromDate(domain.updatedAt),
    revision: watchRevision(domain),
  } satisfies MessageInitShape<typeof WatchedDomainSchema>;
}

function toProgress({ checking }: WatchedDomainDocument, now: Date) {
  if (!checking || now.getTime() - checking.since.getTime() > LONGEST_CHECK_MS) return undefined;
  const { since, done } = checking;
  return { since: timestampFromDate(since), done: [...done], total: checkParts.length };
}

/** A changed model must not appear as a change of the domain. */
function deltaOf({ score, scoreModel }: WatchedDomainDocument, before: ScorePointDocument | null) {
  if (score === null || before === null || before.score === null) return undefined;
  return before.scoreModel === scoreModel ? score - before.score : undefined;
}

/** Every check that counts for the domain's role, with its points, in the order of the catalogue. */
export function toChecks(
  domain: WatchedDomainDocument,
  checks: readonly StandingCheck[],
  lists: readonly ListChoice[],
  now: Date,
): Pick<MessageInitShape<typeof WatchedDomainSchema>, "checks" | "scoreDetails"> {
  const { role, paused: isPaused, mutes } = domain;
  const { outcomes, score } = assessDomain({ role, isPaused, checks, lists, mutes, now });
  const standings = new Map(checks.map((check) => [check.id, check]));
  const points = new Map(score.checks.map((one) => [one.id, one.points]));
  const entryOf = createEntryOf(lists);
  const described = outcomes.flatMap((outcome): MessageInitShape<typeof CheckSchema>[] => {
    const entry = entryOf(outcome.id);
    if (!entry) return [];
    const standing = standings.get(outcome.id) ?? notChecked(domain, outcome.id);
    if (!standing) return [];
    const { known, failing, contrary, previousStatus, checkedAt, expected, expectedParts } = standing;
    const reported = failing ?? known;
    const { observed, observedParts } = reported ?? NOT_CHECKED;
    const until = mutedUntil(mutes, outcome.id, now);
    return [
      {
        id: outcome.id,
        category: entry.category,
        title: entry.title,
        reference: entry.reference,
        expected,
        expectedParts: toTextParts(expectedParts ?? []),
        status: shownStatus(standing),
        weight: outcome.weight,
        observed,
        observedParts: toTextParts(observedParts ?? []),
        countsAs: outcome.kind,
        evidence: (reported?.evidence ?? []).map(toEvidence),
        since: timestampFromDate(reported?.since ?? checkedAt),
        checkedAt: timestampFromDate(checkedAt),
        ...withoutUndefined({
          severity: severityOf(outcome),
          points: points.get(outcome.id) ?? undefined,
          fix: known?.fix && toFix(known.fix),
          measuredAt: known && timestampFromDate(known.at),
          previousStatus,
          unconfirmedStatus: contrary?.status,
          mutedUntil: until && timestampFromDate(until),
        }),
      },
    ];
  });
  return { checks: described, scoreDetails: toScoreDetails(score) };
}

const NOT_CHECKED = observedFields(phrase("check.not_run"));

/**
 * A check without a result still counts for the coverage, so a reader who recomputes the score needs it.
 * @returns undefined: the domain was never checked, and has no score
 */
function notChecked({ checkedAt }: WatchedDomainDocument, id: CheckId): StandingCheck | undefined {
  return checkedAt && { id, expected: "", checkedAt };
}

function toScoreDetails(details: Score): MessageInitShape<typeof ScoreDetailsSchema> {
  const { scoreModel, score, grade, coverage, caps, categories } = details;
  return {
    scoreModel,
    coverage,
    caps: [...caps],
    categories: [...categories],
    ...withoutUndefined({ score: score ?? undefined, grade: grade ?? undefined }),
  };
}

function toEvidence(evidence: Evidence): MessageInitShape<typeof CheckEvidenceSchema> {
  const { name, type, rcode, data, ttlSeconds: ttl, authenticated, server, reason, at } = evidence;
  return {
    name,
    type,
    rcode,
    data: [...data],
    at: timestampFromDate(at),
    ...withoutUndefined({ ttl, authenticated, server, reason }),
  };
}

export function toFix({ text, textParts, record }: Fix): MessageInitShape<typeof CheckFixSchema> {
  return {
    text,
    textParts: toTextParts(textParts ?? []),
    ...(record && { record: { ...record, zoneFile: zoneLine(record) } }),
  };
}

const TTL_SECONDS = 3_600;

/** A record as a line of a zone file (RFC 1035 section 5.1). */
function zoneLine({ name, type, value }: FixRecord): string {
  return `${name}. ${TTL_SECONDS} IN ${type} ${type === "TXT" ? quotedStrings(value) : value}`;
}

export function toScorePoint(point: ScorePointDocument): MessageInitShape<typeof ScorePointSchema> {
  const { at, status, score, coverage, scoreModel } = point;
  return {
    at: timestampFromDate(at),
    status,
    scoreModel,
    ...withoutUndefined({ score: score ?? undefined, coverage: coverage ?? undefined }),
  };
}

export function toWatchChange(change: WatchChangeDocument): MessageInitShape<typeof WatchChangeSchema> {
  const { _id: id, at, kind, domainId, clientId, domain, checkId, severity, from, to, text } = change;
  const { list, subject } = change;
  return {
    id,
    at: timestampFromDate(at),
    kind,
    domainId,
    clientId,
    domain,
    text,
    ...withoutUndefined({ checkId, severity, from, to, list, subject }),
  };
}
