import type { TemplateSource } from "../message/template/template.ts";
import type { AuditActor } from "../shared/audit.ts";

/** The documents of each collection, as they are stored. Times are UTC, to the millisecond. */

export interface AccountDocument {
  readonly _id: string;
  readonly name: string;
  readonly createdAt: Date;
  /** Members who have shown no second factor can do nothing in it. */
  readonly requiresSecondFactor?: true;
  /** Goes up when a resource of the account is removed or begins to use another one: those transactions exclude each other. */
  readonly references?: number;
}

/** Somebody who signs in. What one may do is said by the accounts that he belongs to: see `MemberDocument`. */
export interface UserDocument {
  readonly _id: string;
  /** The comparison key of the address: it is shown, and mail goes to it. */
  readonly email: string;
  /** Argon2id, PHC string; empty: there is no password, and the user signs in by a provider or a passkey. */
  readonly passwordHash: string;
  /** The password was made by somebody else: nothing is allowed before it is replaced. */
  readonly mustChangePassword?: true;
  /** An early release stored the one account, which the user owns; it was not looked at since. */
  readonly accountId?: string;
  /** Goes up with each account that the user creates: those transactions exclude each other. */
  readonly accountChanges?: number;
  readonly createdAt: Date;
}

export type MemberRole = "owner" | "admin" | "developer" | "support" | "viewer";

/** That a user belongs to an account, and as what. */
export interface MemberDocument {
  /** `account.user`: once. */
  readonly _id: string;
  readonly accountId: string;
  readonly userId: string;
  readonly role: MemberRole;
  readonly createdAt: Date;
}

/** What somebody shows to be who he is. A passkey that has verified its user is two in one. */
export type FactorName = "password" | "totp" | "recovery_code" | "passkey" | "oidc";

/** A browser that somebody has signed in with. */
export interface SessionDocument {
  readonly _id: string;
  /** SHA-256 of the token, base64url. */
  readonly hash: string;
  readonly userId: string;
  readonly email: string;
  /** The account that it looks at; empty: none. */
  readonly accountId: string;
  readonly mustChangePassword?: true;
  readonly createdAt: Date;
  /** When it was last used; written at most once a minute. */
  readonly seenAt: Date;
  /** When a factor was last shown. */
  readonly authenticatedAt: Date;
  /** What was shown since it began; missing: a password, to an early release. */
  readonly factors?: readonly FactorName[];
  /** A second factor is to be shown first: until then it is good for nothing else. */
  readonly secondFactorPending?: true;
  readonly clientAddress: string;
  readonly clientAgent: string;
  /** Used or not, it ends then. */
  readonly endsAt: Date;
  /** Unused, it ends then: removed after this. */
  readonly expireAt: Date;
}

/** Wrong passwords for an address from a network, or from that network at all; and mails that were asked for. */
export interface SignInFailuresDocument {
  readonly _id: string;
  readonly count: number;
  readonly lastAt: Date;
  readonly expireAt: Date;
}

export type KeyKind = "account" | "deliverability" | "smtp";
/** The way that a call came: `grpc` is a service that calls the core for no other client. */
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
  /** Of a deliverability key: what it opens; missing: the first workspace of the account. */
  readonly workspaceId?: string;
  readonly createdAt: Date;
  readonly lastUsedAt?: Date;
  /** The IP address that it was last used from; empty: it is not known. */
  readonly lastUsedFrom?: string;
  readonly lastUsedBy?: KeySurface;
  readonly revokedAt?: Date;
  /** From then on it is as if it were revoked; missing: it does not end by itself. */
  readonly expiresAt?: Date;
  /** When another key took its place. */
  readonly supersededAt?: Date;
}

/**
 * What a process has counted of a key's uses on one day. Its numbers are whole, so that writing them twice does no harm;
 * a day's uses are those of all processes.
 */
export interface KeyUsesDocument extends Readonly<Record<KeySurface, number>> {
  /** `key.day.process`. */
  readonly _id: string;
  readonly accountId: string;
  readonly keyId: string;
  /** UTC, as `2026-11-22`. */
  readonly day: string;
  readonly expireAt: Date;
}

/** That the first account was made. */
export interface FirstRunDocument {
  readonly _id: string;
  readonly accountId: string;
  /** When its credentials were. */
  readonly madeAt: Date;
  /** Since then somebody may know them. */
  readonly shownAt?: Date;
}

export interface SenderDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly kind: "address" | "domain";
  /** The address's comparison key, or the domain as A-labels in lower case. */
  readonly value: string;
  /** Missing: whoever reads mail there has not followed the link yet, and nothing may be sent from it. */
  readonly verifiedAt?: Date;
  /** Who has said so: the operator, as with what is missing, or whoever reads mail there. */
  readonly verifiedBy?: "operator" | "link";
  readonly createdAt?: Date;
  /** SHA-256 of the token of the link that was mailed, base64url; missing: none is open. */
  readonly linkHash?: string;
  readonly linkExpiresAt?: Date;
  /** Of one that is not verified: removed after this. */
  readonly expireAt?: Date;
}

/** A DKIM key of a sending domain. */
export interface DomainKeyDocument {
  readonly _id: string;
  readonly accountId: string;
  /** As A-labels, in lower case. */
  readonly domain: string;
  readonly selector: string;
  readonly algorithm: "rsa-sha256" | "ed25519-sha256";
  /** PKCS #8, PEM. Encrypted where it is stored. */
  readonly privateKey: string;
  /** The keys with the latest of these that has come sign. */
  readonly signsFrom: Date;
  readonly createdAt: Date;
}

export interface TemplateDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly name: string;
  readonly version: number;
  /** Only the newest version is; exactly one per name. */
  readonly published: boolean;
  readonly definition: TemplateSource;
  readonly createdAt: Date;
  /** Missing: an earlier release stored it. */
  readonly createdBy?: AuditActor;
  /** The version that this one brought back. */
  readonly restores?: number;
}

/** What a template is beside its versions. One that no dashboard has touched has none; one that is deleted keeps it. */
export interface TemplateHeadDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly name: string;
  /** Missing: the template was deleted. */
  readonly present?: true;
  /** Counts the changes of this document. */
  readonly changes: number;
  /** The highest number of a version that was deleted: none is given twice. */
  readonly deletedVersion: number;
  /** It may have faults. */
  readonly draft?: TemplateSource;
  readonly draftSavedAt?: Date;
  readonly draftSavedBy?: AuditActor;
  /** A JSON object, as text. */
  readonly testData?: string;
}

/**
 * Why an address receives nothing; each of them is stronger than those before it.
 *
 * - `hard_bounce`: its server said that there is no such mailbox
 * - `manual`: somebody in charge of the account wants it so
 * - `unsubscribe`: the recipient wants none of this mail
 * - `complaint`: the recipient reported mail as spam
 */
export const suppressionReasons = ["hard_bounce", "manual", "unsubscribe", "complaint"] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** An address that an account sends nothing to. */
export interface SuppressionDocument {
  /** Follows from account, address and scope. */
  readonly _id: string;
  readonly accountId: string;
  /** The comparison key of the address, or `@` and a domain: all addresses there, for all mail of the account. */
  readonly addressKey: string;
  readonly address: string;
  /** That of the address; missing: stored by an early release, and not yet seen by the migration that adds it. */
  readonly domain?: string;
  readonly reason: SuppressionReason;
  /** Only mail of this policy; missing: all mail of the account. */
  readonly policy?: string;
  /** The message that led to it. */
  readonly messageId?: string;
  /** What was said, safe to show. */
  readonly detail?: string;
  readonly createdAt: Date;
  /** Missing: for ever. */
  readonly expireAt?: Date;
}

/** How many partitions the queue of this installation has; it never falls, for messages lie in all of them. */
export interface PartitionCountDocument {
  readonly _id: string;
  readonly count: number;
}

/** Which worker delivers a partition. */
export interface PartitionDocument {
  readonly _id: number;
  readonly owner: string;
  /** Grows whenever somebody takes the partition, its last owner included. */
  readonly epoch: number;
  readonly expiresAt: Date;
}

/** What a worker says of a limit that it shares with the others. */
export interface Claim {
  /** Names the limit, as ` provider google.com`. */
  readonly limit: string;
  /** How many deliveries at once its messages would keep busy; a part of one where they are few and far between. */
  readonly wants: number;
  /** Deliveries at once that nobody else may count on. */
  readonly holds: number;
}

export interface WorkerDocument {
  readonly _id: string;
  readonly expiresAt: Date;
  /** Missing: it is of a release that claimed nothing. */
  readonly claims?: readonly Claim[];
  /** It begins nothing any more, and wants no partitions. */
  readonly leaving?: boolean;
  /** Its process announces itself, with the schema that it knows; missing: it is of Hermod 0.1.0. */
  readonly announced?: true;
}

/** The MTA-STS policy of a recipient's domain (RFC 8461). */
export interface MtaStsDocument {
  /** The domain, as A-labels in lower case. */
  readonly _id: string;
  /** As the domain's TXT record announced it. */
  readonly policyId: string;
  readonly mode: "enforce" | "testing" | "none";
  readonly mx: readonly string[];
  readonly maxAgeSeconds: number;
  readonly fetchedAt: Date;
  /** When it stops to hold: removed after this. */
  readonly expireAt: Date;
}
