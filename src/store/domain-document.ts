import type { TextPart } from "../shared/phrase.ts";

/** The stored documents of sending domains. */

/**
 * Status of a domain.
 *
 * - `unverified`: its ownership is not proven yet
 * - `verifying`: its ownership is proven, but the records for signature checks are not published yet
 * - `verified`: both
 * - `degraded`: it was verified, and a required record is confirmed lost; it continues to send during a grace period
 * - `failed`: the grace period is over
 */
export const domainStatuses = ["unverified", "verifying", "verified", "degraded", "failed"] as const;
export type DomainStatus = (typeof domainStatuses)[number];

/** Result of a record check. */
export type RecordOutcome =
  /** All name servers that answered return the expected record. */
  | "right"
  /** Only some name servers return it: the change is propagating. */
  | "partial"
  | "wrong"
  | "missing"
  /** No authoritative answer. */
  | "unknown";

/** Answer of one server, for display. */
export interface FoundAt {
  /** The name server; empty: the resolver. */
  readonly server: string;
  readonly values: readonly string[];
  /** Why there is no answer. Missing: there is one. */
  readonly failure?: string;
  /** Time for which resolvers may cache the answer. */
  readonly ttlSeconds?: number;
}

/** Knowledge about one record of a domain. Each check merges its result into it. */
export interface RecordEvidence {
  /** `ownership`, `dkim:<selector>`, `return_path`, `tracking`, `spf` or `dmarc`. */
  readonly key: string;
  /** Outcome of the last conclusive check. */
  readonly outcome: RecordOutcome;
  readonly problem: string;
  /** Parts of `problem`. Missing: there is none, or a former release stored it. */
  readonly problemParts?: readonly TextPart[];
  /** Additional information; empty: none. */
  readonly note: string;
  /** Parts of `note`, likewise. */
  readonly noteParts?: readonly TextPart[];
  /** The value to publish, if it depends on existing records. */
  readonly suggestion?: string;
  /** Targets of aliases (CNAME). */
  readonly aliases: readonly string[];
  readonly found: readonly FoundAt[];
  /** Time of that check. */
  readonly learnedAt?: Date;
  /** Time at which the record was last correct. */
  readonly rightAt?: Date;
  /** Later checks in which the zone's own servers denied it. */
  readonly against?: {
    readonly firstAt: Date;
    readonly lastAt: Date;
    /** Time at which two such checks were far enough apart. Missing: it may be a temporary error. */
    readonly confirmedAt?: Date;
  };
  /** The last check, if it was inconclusive. */
  readonly failure?: {
    readonly at: Date;
    readonly reason: string;
    /** Parts of `reason`, likewise. */
    readonly reasonParts?: readonly TextPart[];
  };
}

/** A sending domain of an account. Its DKIM keys are separate documents. */
export interface DomainDocument {
  /** `account.name`, unique. */
  readonly _id: string;
  readonly accountId: string;
  /** In A-labels and lower case. */
  readonly name: string;
  /** Token that the owner publishes as proof, unique for this account. */
  readonly token: string;
  readonly createdAt: Date;
  /** Time at which all requirements were met for the first time. */
  readonly verifiedAt?: Date;
  /** The last reported status. An event was written with it. */
  readonly status: DomainStatus;
  readonly statusSince: Date;
  readonly records: readonly RecordEvidence[];
  /** Name servers of its zone, as of the last check that found them. */
  readonly nameServers: readonly string[];
  /** Time of the last check. */
  readonly checkedAt?: Date;
  /** Time of the last requested check. */
  readonly askedAt?: Date;
  /** Number of consecutive inconclusive checks of required records. */
  readonly failures: number;
  /** Time of the next scheduled check. A process that starts a check moves it into the future. */
  readonly nextCheckAt: Date;
  /** Public link with its records. Missing: there is none. */
  readonly link?: { readonly id: string; readonly expiresAt: Date };
}

/** A change of a domain's status. */
export interface DomainEventDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly domain: string;
  readonly kind: "domain.status_changed";
  readonly from: DomainStatus;
  readonly to: DomainStatus;
  /** Reasons as sentences; empty: there is no problem. */
  readonly reasons: readonly string[];
  readonly at: Date;
  readonly expireAt: Date;
}
