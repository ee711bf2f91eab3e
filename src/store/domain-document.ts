/** The documents of sending domains, as they are stored. */

/**
 * How a domain stands.
 *
 * - `unverified`: its owner has not proven yet that it is his
 * - `verifying`: that is proven, and what receivers need to check its signatures is not published yet
 * - `verified`: both
 * - `degraded`: it was verified, and something of that is gone for sure; it sends on for a while
 * - `failed`: that while is over
 */
export const domainStatuses = ["unverified", "verifying", "verified", "degraded", "failed"] as const;
export type DomainStatus = (typeof domainStatuses)[number];

/** What a look at a record has found. */
export type RecordOutcome =
  /** What is wanted, at every name server that has answered. */
  | "right"
  /** At some of them only: it is spreading. */
  | "partial"
  | "wrong"
  | "missing"
  /** Nobody who knows has answered. */
  | "unknown";

/** What one of those who were asked has answered, for people. */
export interface FoundAt {
  /** The name server; empty: the resolver. */
  readonly server: string;
  readonly values: readonly string[];
  /** Why nothing is known; missing: it has answered. */
  readonly failure?: string;
  /** How long others may go on with that answer. */
  readonly ttlSeconds?: number;
}

/** What is known of one record of a domain. Written by whoever has looked, and merged with what was known before. */
export interface RecordEvidence {
  /** `ownership`, `dkim:<selector>`, `return_path`, `tracking`, `spf` or `dmarc`. */
  readonly key: string;
  /** Of the last look that has learned something. */
  readonly outcome: RecordOutcome;
  readonly problem: string;
  /** What else is worth knowing; empty: nothing. */
  readonly note: string;
  /** The value to publish, where it depends on what is there. */
  readonly suggestion?: string;
  /** Where aliases (CNAME) lead to. */
  readonly aliases: readonly string[];
  readonly found: readonly FoundAt[];
  /** When that look was. */
  readonly learnedAt?: Date;
  /** When it was seen right last. */
  readonly rightAt?: Date;
  /** The looks since then that the zone's own servers answered otherwise. */
  readonly against?: {
    readonly firstAt: Date;
    readonly lastAt: Date;
    /** When two of them lay far enough apart; missing: it may be a slip. */
    readonly confirmedAt?: Date;
  };
  /** The last look, if it has learned nothing. */
  readonly failure?: { readonly at: Date; readonly reason: string };
}

/** A sending domain of an account. Its DKIM keys are documents of their own. */
export interface DomainDocument {
  /** `account.name`: once. */
  readonly _id: string;
  readonly accountId: string;
  /** As A-labels, in lower case. */
  readonly name: string;
  /** What its owner publishes to prove that it is his: of this account alone. */
  readonly token: string;
  readonly createdAt: Date;
  /** When all that is required was there for the first time. */
  readonly verifiedAt?: Date;
  /** As it was told last: an event was written with it. */
  readonly status: DomainStatus;
  readonly statusSince: Date;
  readonly records: readonly RecordEvidence[];
  /** Of its zone, as of the last look that has learned them. */
  readonly nameServers: readonly string[];
  /** When it was looked at last. */
  readonly checkedAt?: Date;
  /** When somebody wanted it to be looked at last. */
  readonly askedAt?: Date;
  /** Looks in a row that have learned nothing of what is required. */
  readonly failures: number;
  /** When it is looked at next without being asked to; a process that looks moves it into the future. */
  readonly nextCheckAt: Date;
  /** The link that shows its records; missing: there is none. */
  readonly link?: { readonly id: string; readonly expiresAt: Date };
}

/** That the status of a domain has changed. */
export interface DomainEventDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly domain: string;
  readonly kind: "domain.status_changed";
  readonly from: DomainStatus;
  readonly to: DomainStatus;
  /** In words; empty: all is well. */
  readonly reasons: readonly string[];
  readonly at: Date;
  readonly expireAt: Date;
}
