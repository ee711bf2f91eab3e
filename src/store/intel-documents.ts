import type { Binary } from "mongodb";
import type { Standing, StandingKey } from "../intel/blacklists/listing.ts";
import type { Allowance } from "../intel/blacklists/pace.ts";
import type { AnswerState } from "../intel/blacklists/read-answer.ts";
import type { Trust } from "../intel/blacklists/self-test.ts";
import type { Subject } from "../intel/blacklists/subject.ts";
import type { DomainRole } from "../intel/catalogue.ts";
import type { DomainStatus } from "../intel/domain-status.ts";
import type { Grade } from "../intel/score/score.ts";
import type { Severity } from "../intel/severity.ts";
import type { StandingCheck } from "../intel/standing-check.ts";
import type { AuditActor } from "../shared/audit.ts";
import type { TextPart } from "../shared/phrase.ts";

/**
 * Counts of the domains of a workspace or client by state. They are updated with each change, so that no query has to
 * count 10,000 domains. Sums are integers and therefore exact.
 */
export interface DomainTally {
  readonly domains: number;
  readonly byStatus: Readonly<Partial<Record<DomainStatus, number>>>;
  readonly listings: number;
  /** Number of domains with a score, and the sum of their scores. */
  readonly scored: number;
  readonly scoreSum: number;
  /** Number of domains with a measured check, and the sum of their coverage in ten-thousandths. */
  readonly covered: number;
  readonly coverageSum: number;
}

/** In `workspaces`. */
export interface WorkspaceDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly name: string;
  readonly createdAt: Date;
  /** Set on the first workspace of an account, which is the default. */
  readonly first?: true;
  readonly tally: DomainTally;
  readonly activeClients: number;
}

/** Editable fields of a client. */
export interface ClientSettings {
  readonly name: string;
  readonly externalRef?: string;
  readonly contactEmails: readonly string[];
  readonly tags: readonly string[];
  readonly notes?: string;
  readonly locale: string;
  readonly timezone: string;
}

/** In `intelClients`. */
export interface ClientDocument extends ClientSettings {
  readonly _id: string;
  readonly accountId: string;
  readonly workspaceId: string;
  /** Normalized name, unique within a workspace. */
  readonly nameKey: string;
  /** Prefixes of its words. */
  readonly searchKeys: readonly string[];
  readonly status: "active" | "archived";
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly tally: DomainTally;
}

/** Editable fields of a watched domain. */
export interface WatchSettings {
  readonly role: DomainRole;
  readonly dkimSelectors: readonly string[];
  readonly sendingIps: readonly string[];
  readonly paused: boolean;
  /** Missing: none. Settings without it leave it as it is. */
  readonly tags?: readonly string[];
  /** As `tags`. Empty: none. */
  readonly notes?: string;
}

/** State of a domain in lists. */
export interface DomainStanding {
  readonly status: DomainStatus;
  readonly score: number | null;
  readonly grade: Grade | null;
  readonly coverage: number | null;
  readonly scoreModel: string | null;
  readonly findings: Readonly<Record<Severity, number>>;
  /** Checks that fail or warn and are not muted. */
  readonly findingIds: readonly string[];
  readonly topFindings: readonly {
    readonly checkId: string;
    readonly severity: Severity;
    readonly title: string;
    readonly gain: number;
  }[];
  /** All of them with the gain of each repair, largest first. Missing: stored by an earlier release. */
  readonly repairs?: readonly DomainRepair[];
  readonly listings: number;
  readonly lastError: string | null;
  /** Parts of `lastError`. Missing: stored by an earlier release. */
  readonly lastErrorParts?: readonly TextPart[];
}

/** A finding of a domain, and the points that its score gains with the repair: with one decimal. */
export interface DomainRepair {
  readonly checkId: string;
  readonly severity: Severity;
  readonly gain: number;
}

/** A mute of a check. Mutes of earlier releases have an end and no other facts. */
export interface CheckMute {
  readonly checkId: string;
  readonly until: Date;
  readonly reason?: string;
  /** Member or operator who muted it. */
  readonly by?: AuditActor;
  readonly at?: Date;
}

/** A watched domain, in `watchedDomains`. The results of its checks are stored separately: lists do not read them. */
export interface WatchedDomainDocument extends WatchSettings, DomainStanding {
  readonly _id: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly clientId: string;
  /** In A-labels. */
  readonly name: string;
  /** Its suffixes at label boundaries. */
  readonly searchKeys: readonly string[];
  readonly createdAt: Date;
  /** Time of the last edit. */
  readonly updatedAt: Date;
  /** Number of edits. Missing: none since counting began. */
  readonly edits?: number;
  /** One of each muted check. A check run removes expired ones. */
  readonly mutes: readonly CheckMute[];
  /** Keys of its blacklist states. */
  readonly subjects: readonly string[];
  /** The score, or -1 without one, for sorting. */
  readonly scoreRank: number;
  /** Missing: the domain was not checked yet. */
  readonly checkedAt?: Date;
  /** The same, or the beginning of time, for sorting. */
  readonly checkedRank: Date;
  /** Time of the next check; missing: paused. A process that starts a check first moves it into the future. */
  readonly dueAt?: Date;
  /** Time at which a report last arrived at its address for aggregate reports. */
  readonly reportedAt?: Date;
  /** Time from which on its owner may request another check. */
  readonly askedAt?: Date;
  /** The running check: its start and finished parts. A process that ends leaves it. Missing: none runs. */
  readonly checking?: { readonly since: Date; readonly done: readonly string[] };
  /** Number of consecutive check runs that measured almost nothing. */
  readonly failures: number;
  /** Incremented with every change: a check run stores its results only on the revision that it started with. */
  readonly revision: number;
}

/** Known results of each check of a domain, in `watchedChecks`, by domain id. */
export interface WatchedChecksDocument {
  readonly _id: string;
  readonly accountId: string;
  /** Keys of the states of listed subjects. */
  readonly listed: readonly string[];
  readonly checks: readonly StandingCheck[];
}

/** State of a domain from a time on, in `scorePoints`: by domain and time. */
export interface ScorePointDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly domainId: string;
  readonly at: Date;
  readonly status: DomainStatus;
  readonly score: number | null;
  readonly coverage: number | null;
  readonly scoreModel: string;
  readonly expireAt: Date;
}

export const watchChangeKinds = [
  "watched_domain.status_changed",
  "finding.opened",
  "finding.resolved",
  "blacklist.listed",
  "blacklist.delisted",
] as const;
export type WatchChangeKind = (typeof watchChangeKinds)[number];

/** A change of a domain, in `watchChanges`. */
export interface WatchChangeDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly clientId: string;
  readonly domainId: string;
  readonly domain: string;
  readonly at: Date;
  readonly kind: WatchChangeKind;
  /** For listings: the list and the subject. */
  readonly list?: string;
  readonly subject?: string;
  readonly checkId?: string;
  readonly severity?: Severity;
  readonly from?: string;
  readonly to?: string;
  readonly text: string;
  /** Alert rules were not notified of it yet. */
  readonly unalerted?: true;
  readonly expireAt: Date;
}

/** The answer to a request with an idempotency key, in `intelAnswers`: by workspace, operation and key. */
export interface IntelAnswerDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly fingerprint: string;
  /** Encoded for gRPC. */
  readonly answer: Binary;
  readonly expireAt: Date;
}

/** State of a subject at a list, in `blacklistStates`: by list and subject, for all watchers. */
export interface BlacklistStateDocument extends StandingKey {
  /** Such as `spamcop 192.0.2.25`. */
  readonly _id: string;
  readonly kind: Subject["kind"];
  /** Missing: no check has run yet. */
  readonly standing?: Standing;
  /** The displayed state. */
  readonly state: BlacklistState;
  readonly dueAt: Date;
  /** Number of started watches. A watch that starts during a change or removal of the state conflicts with that write. */
  readonly additions: number;
  /** The watches were not updated with its state yet. */
  readonly untold?: true;
}

/** `pending`: no check has run yet, or a confirmation check is pending. */
export type BlacklistState = AnswerState | "pending";

/** Watch of a workspace on a subject at a list, in `blacklistWatches`: by workspace, list and subject. */
export interface BlacklistWatchDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly workspaceId: string;
  /** Key of the state. */
  readonly key: string;
  readonly listId: string;
  readonly subject: string;
  /** Number of the workspace's domains that use the subject. */
  readonly domains: number;
  readonly state: BlacklistState;
}

/** Trust and remaining budget of a list, in `blacklistTrusts`: by the list's id. */
export interface ListTrustDocument {
  readonly _id: string;
  readonly trust?: Trust;
  readonly allowance?: Allowance;
  /** End of the claim of the process that queries the list. */
  readonly heldUntil: Date;
  /** Queries of the last day with any, in UTC. A round that ended with an error counts with all that it could send. */
  readonly spent?: { readonly day: string; readonly queries: number };
  /** Interval between checks of a subject at the last round, in milliseconds. */
  readonly periodMs?: number;
}

/** A report, in `intelReports`. It never changes. */
export interface IntelReportDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly scope: {
    readonly type: "workspace" | "client" | "domain";
    readonly id: string;
    readonly name: string;
  };
  readonly period: { readonly from: Date; readonly to: Date };
  readonly generatedAt: Date;
  readonly expireAt: Date;
  /** Requested form, such as `pdf-a4`. Missing: a report of an earlier release. */
  readonly form?: string;
  /** Id of its stored parts. Missing: its own id. Each attempt of a job has its own, which no other overwrites. */
  readonly filesId?: string;
}

/** A part of a report in one form, in `intelReportParts`. */
export interface IntelReportPartDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly reportId: string;
  readonly format: string;
  readonly n: number;
  readonly data: Binary;
  readonly expireAt: Date;
}
