import type { Binary } from "mongodb";
import type { Standing, StandingKey } from "../intel/blacklists/listing.ts";
import type { Allowance } from "../intel/blacklists/pace.ts";
import type { LookState } from "../intel/blacklists/read-answer.ts";
import type { Trust } from "../intel/blacklists/self-test.ts";
import type { Subject } from "../intel/blacklists/subject.ts";
import type { DomainRole } from "../intel/catalogue.ts";
import type { DomainStatus } from "../intel/domain-status.ts";
import type { Grade } from "../intel/score/score.ts";
import type { Severity } from "../intel/severity.ts";
import type { StandingCheck } from "../intel/standing-check.ts";

/**
 * How the domains of a workspace, or of a client, stand: counted as they change, so that nobody counts 10,000 of them to
 * answer a question. Sums are whole numbers, which add up without an error.
 */
export interface DomainTally {
  readonly domains: number;
  readonly byStatus: Readonly<Partial<Record<DomainStatus, number>>>;
  readonly listings: number;
  /** Domains that have a score, and the sum of these. */
  readonly scored: number;
  readonly scoreSum: number;
  /** Domains of which something is measured, and the sum of their coverage in ten-thousandths. */
  readonly covered: number;
  readonly coverageSum: number;
}

/** In `workspaces`. */
export interface WorkspaceDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly name: string;
  readonly createdAt: Date;
  /** Set on the first one of an account, which is meant where none is named. */
  readonly first?: true;
  readonly tally: DomainTally;
  readonly activeClients: number;
}

/** What somebody gives a client. */
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
  /** The name as it is compared: no two clients of a workspace have the same. */
  readonly nameKey: string;
  /** Beginnings of its words. */
  readonly searchKeys: readonly string[];
  readonly status: "active" | "archived";
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly tally: DomainTally;
}

/** What somebody says of a domain. */
export interface WatchSettings {
  readonly role: DomainRole;
  readonly dkimSelectors: readonly string[];
  readonly sendingIps: readonly string[];
  readonly paused: boolean;
}

/** How a domain stands, as far as lists show it. */
export interface DomainStanding {
  readonly status: DomainStatus;
  readonly score: number | null;
  readonly grade: Grade | null;
  readonly coverage: number | null;
  readonly scoreModel: string | null;
  readonly findings: Readonly<Record<Severity, number>>;
  /** Checks that fail or warn, and are not muted. */
  readonly findingIds: readonly string[];
  readonly topFindings: readonly {
    readonly checkId: string;
    readonly severity: Severity;
    readonly title: string;
    readonly gain: number;
  }[];
  readonly listings: number;
  readonly lastError: string | null;
}

/** A domain that is watched, in `watchedDomains`. What its checks have found lies beside it: lists do not read that. */
export interface WatchedDomainDocument extends WatchSettings, DomainStanding {
  readonly _id: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly clientId: string;
  /** In A-labels. */
  readonly name: string;
  /** Beginnings of its labels, with what follows them. */
  readonly searchKeys: readonly string[];
  readonly createdAt: Date;
  /** When somebody changed it. */
  readonly updatedAt: Date;
  /** Counts changes by editors; missing: none since it is counted. */
  readonly edits?: number;
  /** Until when a check counts for no finding. A check run drops those that have lapsed. */
  readonly mutes: readonly { readonly checkId: string; readonly until: Date }[];
  /** What blacklists are asked about it: keys of their states. */
  readonly subjects: readonly string[];
  /** The score, or -1 without one: lists are sorted by it. */
  readonly scoreRank: number;
  /** Missing: not yet. */
  readonly checkedAt?: Date;
  /** The same, or the beginning of time: lists are sorted by it. */
  readonly checkedRank: Date;
  /** When it is to be looked at; missing: it is paused. Whoever looks moves it ahead first. */
  readonly dueAt?: Date;
  /** When something last came to its address for aggregate reports. */
  readonly reportedAt?: Date;
  /** When its owner may have it checked again. */
  readonly askedAt?: Date;
  /** Looks in sequence that could measure hardly anything. */
  readonly failures: number;
  /** Goes up with every change: whoever has looked stores what he saw only on what he began with. */
  readonly revision: number;
}

/** What is known of each check of a domain, in `watchedChecks`, by the domain's id. */
export interface WatchedChecksDocument {
  readonly _id: string;
  readonly accountId: string;
  /** Subjects that lists have entries of: keys of states. */
  readonly listed: readonly string[];
  readonly checks: readonly StandingCheck[];
}

/** How a domain stood from then on, in `scorePoints`: by domain and moment. */
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

export type WatchChangeKind =
  | "watched_domain.status_changed"
  | "finding.opened"
  | "finding.resolved"
  | "blacklist.listed"
  | "blacklist.delisted";

/** What has changed about a domain, in `watchChanges`. */
export interface WatchChangeDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly clientId: string;
  readonly domainId: string;
  readonly domain: string;
  readonly at: Date;
  readonly kind: WatchChangeKind;
  /** Of what lists have: the list and the subject. */
  readonly list?: string;
  readonly subject?: string;
  readonly checkId?: string;
  readonly severity?: Severity;
  readonly from?: string;
  readonly to?: string;
  readonly text: string;
  /** Alert rules have still to hear of it. */
  readonly unalerted?: true;
  readonly expireAt: Date;
}

/** The answer to a request with an idempotency key, in `intelAnswers`: by workspace, operation and key. */
export interface IntelAnswerDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly fingerprint: string;
  /** As gRPC encodes it. */
  readonly answer: Binary;
  readonly expireAt: Date;
}

/** What is known of a subject at a list, in `blacklistStates`: by list and subject, whoever watches it. */
export interface BlacklistStateDocument extends StandingKey {
  /** As `spamcop 192.0.2.25`. */
  readonly _id: string;
  readonly kind: Subject["kind"];
  /** Missing: it was not looked up yet. */
  readonly standing?: Standing;
  /** What is shown of it. */
  readonly state: BlacklistState;
  readonly dueAt: Date;
  /** How often somebody has begun to watch it: who does so while it changes or is let go of meets that write. */
  readonly additions: number;
  /** Who watches it has still to be told of its state. */
  readonly untold?: true;
}

/** `pending`: it was not looked up yet, or a second look has to confirm what was seen. */
export type BlacklistState = LookState | "pending";

/** That a workspace watches a subject at a list, in `blacklistWatches`: by workspace, list and subject. */
export interface BlacklistWatchDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly workspaceId: string;
  /** Of the state. */
  readonly key: string;
  readonly listId: string;
  readonly subject: string;
  /** Domains of the workspace that it concerns. */
  readonly domains: number;
  readonly state: BlacklistState;
}

/** Whether a list is believed, and what it may still be asked, in `blacklistTrusts`: by the list's id. */
export interface ListTrustDocument {
  readonly _id: string;
  readonly trust?: Trust;
  readonly allowance?: Allowance;
  /** Whoever asks the list has it until then. */
  readonly heldUntil: Date;
}

/** A report that was made, in `intelReports`. It never changes. */
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
  /** Form in which it was asked for, as `pdf-a4`; missing: a report of an earlier release. */
  readonly form?: string;
  /** Id that its parts are stored by; missing: its own. An attempt of a job that is overtaken writes nothing into those of another. */
  readonly filesId?: string;
}

/** A piece of a report in one form, in `intelReportParts`. */
export interface IntelReportPartDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly reportId: string;
  readonly format: string;
  readonly n: number;
  readonly data: Binary;
  readonly expireAt: Date;
}
