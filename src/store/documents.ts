import type { TemplateSource } from "../message/template/template.ts";
import type { AuditActor } from "../shared/audit.ts";

/** The stored documents of each collection. Times are UTC, in milliseconds. */

export interface AccountDocument {
  readonly _id: string;
  readonly name: string;
  readonly createdAt: Date;
  /** Members without a second factor cannot use the account. */
  readonly requiresSecondFactor?: true;
  /**
   * Incremented when a resource of the account is removed or begins to use another one, so that these transactions
   * exclude each other.
   */
  readonly references?: number;
}

/** A user who signs in. The user's permissions follow from memberships: see `MemberDocument`. */
export interface UserDocument {
  readonly _id: string;
  /** Comparison key of the address. It is displayed and receives mail. */
  readonly email: string;
  /** Argon2id, PHC string. Empty: the user has no password and signs in with a provider or a passkey. */
  readonly passwordHash: string;
  /** Another person has set the password, and the user must replace it before any other action. */
  readonly mustChangePassword?: true;
  /** Field of an early release with a single account, which the user owns. It is not read any more. */
  readonly accountId?: string;
  /** Incremented with each account that the user creates, so that these transactions exclude each other. */
  readonly accountChanges?: number;
  readonly createdAt: Date;
}

export type MemberRole = "owner" | "admin" | "developer" | "support" | "viewer";

/** Membership of a user in an account, with its role. */
export interface MemberDocument {
  /** `account.user`, unique. */
  readonly _id: string;
  readonly accountId: string;
  readonly userId: string;
  readonly role: MemberRole;
  readonly createdAt: Date;
  /** Time of the last use of a session in the account, written at most once an hour. Missing: not known. */
  readonly seenAt?: Date;
  /** Sessions without a factor shown since this time cannot be used in the account. Missing: all can. */
  readonly signedOutAt?: Date;
}

/** Authentication factors. A passkey that has verified its user counts as two. */
export type FactorName = "password" | "totp" | "recovery_code" | "passkey" | "oidc";

/** Session of a signed-in browser. */
export interface SessionDocument {
  readonly _id: string;
  /** SHA-256 of the token, base64url. */
  readonly hash: string;
  readonly userId: string;
  readonly email: string;
  /** The selected account; empty: none. */
  readonly accountId: string;
  readonly mustChangePassword?: true;
  readonly createdAt: Date;
  /** Time of the last use, written at most once a minute. */
  readonly seenAt: Date;
  /** Time of the last authentication with a factor. */
  readonly authenticatedAt: Date;
  /** Factors since the start of the session. Missing: an early release accepted a password. */
  readonly factors?: readonly FactorName[];
  /** A second factor is required. Until then, the session permits nothing else. */
  readonly secondFactorPending?: true;
  readonly clientAddress: string;
  readonly clientAgent: string;
  /** End of the session, independent of its use. */
  readonly endsAt: Date;
  /** End of an unused session. It is removed after this time. */
  readonly expireAt: Date;
}

/** Failed sign-ins for an address from a network, or from that network in total, and requested mails. */
export interface SignInFailuresDocument {
  readonly _id: string;
  readonly count: number;
  readonly lastAt: Date;
  readonly expireAt: Date;
}

export type KeyKind = "account" | "deliverability" | "smtp";
/** Interface of a call: `grpc` is a service that calls the core without another client. */
export type KeySurface = "http" | "smtp" | "grpc";
export type ScopeMode = "full" | "send_only" | "alerts_only" | "restricted";

export interface KeyDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly name: string;
  readonly kind: KeyKind;
  readonly prefix: string;
  /** SHA-256 of the key, base64url. */
  readonly hash: string;
  /** SMTP only: SHA-256 of the password. */
  readonly passwordHash?: string;
  readonly scopeMode: ScopeMode;
  readonly scopes: readonly string[];
  readonly senders: readonly string[];
  readonly allowedAddresses: readonly string[];
  /** Workspace of a deliverability key. Missing: the first workspace of the account. */
  readonly workspaceId?: string;
  readonly createdAt: Date;
  readonly lastUsedAt?: Date;
  /** IP address of the last use; empty: unknown. */
  readonly lastUsedFrom?: string;
  readonly lastUsedBy?: KeySurface;
  readonly revokedAt?: Date;
  /** From this time on the key is invalid, as if revoked. Missing: it does not expire. */
  readonly expiresAt?: Date;
  /** Time at which another key replaced it. */
  readonly supersededAt?: Date;
}

/**
 * A process's count of a key's uses on one day. The numbers are totals, so writing them twice is harmless. A day's
 * uses are the sum over all processes.
 */
export interface KeyUsesDocument extends Readonly<Record<KeySurface, number>> {
  /** `key.day.process`. */
  readonly _id: string;
  readonly accountId: string;
  readonly keyId: string;
  /** UTC, such as `2026-11-22`. */
  readonly day: string;
  readonly expireAt: Date;
}

/** Record of the creation of the first account. */
export interface FirstRunDocument {
  readonly _id: string;
  readonly accountId: string;
  /** Creation time of its credentials. */
  readonly madeAt: Date;
  /** Since this time the credentials may be known to a person. */
  readonly shownAt?: Date;
}

export interface SenderDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly kind: "address" | "domain";
  /** Comparison key of the address, or the domain in A-labels and lower case. */
  readonly value: string;
  /** Missing: the link in the verification mail was not opened yet, and the address must not send. */
  readonly verifiedAt?: Date;
  /** Verifier: the operator, also if missing, or the owner of the mailbox through the link. */
  readonly verifiedBy?: "operator" | "link";
  readonly createdAt?: Date;
  /** SHA-256 of the token of the mailed link, base64url. Missing: no link is valid. */
  readonly linkHash?: string;
  readonly linkExpiresAt?: Date;
  /** Expiry of an unverified sender, which is removed after this time. */
  readonly expireAt?: Date;
}

/** A DKIM key of a sending domain. */
export interface DomainKeyDocument {
  readonly _id: string;
  readonly accountId: string;
  /** In A-labels and lower case. */
  readonly domain: string;
  readonly selector: string;
  readonly algorithm: "rsa-sha256" | "ed25519-sha256";
  /** PKCS #8, PEM. Encrypted in the store. */
  readonly privateKey: string;
  /** The keys with the latest start in the past sign. */
  readonly signsFrom: Date;
  readonly createdAt: Date;
}

/** Named data for previews of a template. */
export interface TemplateDataSet {
  readonly name: string;
  /** A JSON object as text. */
  readonly data: string;
}

/** Facts about a text of a template, for lists that do not read the text. */
export interface TemplateSummary {
  /** First 300 characters of the subject. */
  readonly subject: string;
  /** Equal for equal texts. */
  readonly digest: string;
}

export interface TemplateDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly name: string;
  readonly version: number;
  /** Only the newest version is published; exactly one per name. */
  readonly published: boolean;
  readonly definition: TemplateSource;
  /** Missing: an earlier release stored the version. */
  readonly summary?: TemplateSummary;
  readonly createdAt: Date;
  /** Missing: an earlier release stored the version. */
  readonly createdBy?: AuditActor;
  /** The version that this one restored. */
  readonly restores?: number;
}

/**
 * State of a template beside its versions. Templates that the dashboard never changed have none. A deleted template
 * keeps it.
 */
export interface TemplateHeadDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly name: string;
  /** Missing: the template was deleted. */
  readonly present?: true;
  /** Counts the changes of this document. */
  readonly changes: number;
  /** Highest number of a deleted version. Numbers are never reused. */
  readonly deletedVersion: number;
  /** May contain errors. */
  readonly draft?: TemplateSource;
  /** Summary of the draft. Missing: there is no draft, or an earlier release stored it. */
  readonly summary?: TemplateSummary;
  readonly draftSavedAt?: Date;
  readonly draftSavedBy?: AuditActor;
  /** A JSON object as text. */
  readonly testData?: string;
  /** Further data for previews, by distinct names. Missing: none. */
  readonly dataSets?: readonly TemplateDataSet[];
}

/**
 * Reason of a suppression. Each is stronger than those before it.
 *
 * - `hard_bounce`: the server reported that the mailbox does not exist
 * - `manual`: a member of the account added it
 * - `unsubscribe`: the recipient unsubscribed from this mail
 * - `complaint`: the recipient reported mail as spam
 */
export const suppressionReasons = ["hard_bounce", "manual", "unsubscribe", "complaint"] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** An address to which an account sends nothing. */
export interface SuppressionDocument {
  /** Derived from account, address and scope. */
  readonly _id: string;
  readonly accountId: string;
  /** Comparison key of the address, or `@` and a domain, which matches all its addresses for all mail of the account. */
  readonly addressKey: string;
  readonly address: string;
  /** Domain of the address. Missing: an early release stored the entry, and the migration has not added it yet. */
  readonly domain?: string;
  readonly reason: SuppressionReason;
  /** Restricts the entry to mail of this policy. Missing: all mail of the account. */
  readonly policy?: string;
  /** The message that caused the entry. */
  readonly messageId?: string;
  /** Reply or report, safe to show. */
  readonly detail?: string;
  readonly createdAt: Date;
  /** Missing: it never expires. */
  readonly expireAt?: Date;
}

/** Number of queue partitions of this installation. It never decreases, because messages are stored in all partitions. */
export interface PartitionCountDocument {
  readonly _id: string;
  readonly count: number;
}

/** Assignment of a partition to a worker. */
export interface PartitionDocument {
  readonly _id: number;
  readonly owner: string;
  /** Incremented whenever a worker takes the partition, including its last owner. */
  readonly epoch: number;
  readonly expiresAt: Date;
}

/** A worker's claim on a limit that workers share. */
export interface Claim {
  /** Name of the limit, such as ` provider google.com`. */
  readonly limit: string;
  /** Number of concurrent deliveries that its messages need; a fraction if they are rare. */
  readonly wants: number;
  /** Number of concurrent deliveries that no other worker may use. */
  readonly holds: number;
}

export interface WorkerDocument {
  readonly _id: string;
  readonly expiresAt: Date;
  /** Missing: the worker runs a release without claims. */
  readonly claims?: readonly Claim[];
  /** The worker is shutting down: it starts no deliveries and takes no partitions. */
  readonly leaving?: boolean;
  /** Its process announces itself with its schema version. Missing: it runs Hermod 0.1.0. */
  readonly announced?: true;
}

/** The MTA-STS policy of a recipient's domain (RFC 8461). */
export interface MtaStsDocument {
  /** The domain in A-labels and lower case. */
  readonly _id: string;
  /** Id from the domain's TXT record. */
  readonly policyId: string;
  readonly mode: "enforce" | "testing" | "none";
  readonly mx: readonly string[];
  readonly maxAgeSeconds: number;
  readonly fetchedAt: Date;
  /** Expiry of the policy, which is removed after this time. */
  readonly expireAt: Date;
}
