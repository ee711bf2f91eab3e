import type { Binary } from "mongodb";
import type { MessageContent } from "../message/content.ts";
import type { TemplateSource } from "../message/template/template.ts";
import type { MessageState } from "../shared/message-state.ts";
import type { Priority } from "./policy-document.ts";

/** The documents of each collection, as they are stored. Times are UTC, to the millisecond. */

export interface AccountDocument {
  readonly _id: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** Somebody who signs in. What one may do is said by the accounts that he belongs to: see `MemberDocument`. */
export interface UserDocument {
  readonly _id: string;
  /** The comparison key of the address: it is shown, and mail goes to it. */
  readonly email: string;
  /** Argon2id, PHC string. */
  readonly passwordHash: string;
  /** The password was made by somebody else: nothing is allowed before it is replaced. */
  readonly mustChangePassword?: true;
  /** An early release stored the one account, which the user owns; it was not looked at since. */
  readonly accountId?: string;
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
  readonly clientAddress: string;
  readonly clientAgent: string;
  /** Used or not, it ends then. */
  readonly endsAt: Date;
  /** Unused, it ends then: removed after this. */
  readonly expireAt: Date;
}

/** Wrong passwords for an address from a network, or from that network at all. */
export interface SignInFailuresDocument {
  readonly _id: string;
  readonly count: number;
  readonly lastAt: Date;
  readonly expireAt: Date;
}

export type KeyKind = "account" | "deliverability" | "smtp";
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
  readonly createdAt: Date;
  readonly lastUsedAt?: Date;
  readonly revokedAt?: Date;
  /** From then on it is as if it were revoked; missing: it does not end by itself. */
  readonly expiresAt?: Date;
  /** When another key took its place. */
  readonly supersededAt?: Date;
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
  readonly verifiedAt: Date;
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
}

/** A body, once per submission: several recipients share it. */
export interface ContentDocument {
  readonly _id: string;
  /** That of its id. Missing: an early release stored it, and it was not looked at since. */
  readonly bucket?: number;
  readonly accountId: string;
  readonly createdAt: Date;
  readonly expireAt: Date;
  /** What its sender said; this or `source` is missing when it is too large for one document and lies in chunks. */
  readonly content?: StoredContent;
  /** A finished message. */
  readonly source?: Binary;
  /** What lies in the chunks is a finished message. */
  readonly raw?: true;
  readonly chunkCount?: number;
}

/** A piece of a large value; its id is `owner.number`, from 0. */
export interface ChunkDocument {
  readonly _id: string;
  readonly data: Binary;
  readonly expireAt: Date;
}

export type StoredContent = Omit<MessageContent, "attachments"> & {
  readonly attachments: readonly (Omit<MessageContent["attachments"][number], "content"> & {
    readonly content: Binary;
  })[];
};

/** The outcomes of which the sender wants notices (RFC 3461 section 4.1); `never` stands alone. */
export type DsnNotify = "never" | "success" | "failure" | "delay";

/** One message to one recipient: the queue's entry and the customer's record in one. */
export interface MessageDocument {
  /** The public message_id. */
  readonly _id: string;
  /** What a database is sharded by: 0 to 65,535, and every write names it. Missing: as for contents. */
  readonly bucket: number | undefined;
  readonly accountId: string;
  readonly keyId: string;
  /** The public sx_trace_id, one per submission. */
  readonly traceId: string;
  readonly operation: string;
  readonly state: MessageState;
  /** Address of the sender, as the From field has it. */
  readonly from: string;
  /** MAIL FROM, when it differs from the From field. */
  readonly envelopeFrom?: string;
  readonly recipient: string;
  /** NOTIFY of RFC 3461; missing: it was not given. */
  readonly notify?: readonly DsnNotify[];
  /** ORCPT of RFC 3461, as `rfc822;ada@example.com`. */
  readonly originalRecipient?: string;
  /** ENVID of RFC 3461, decoded. */
  readonly envelopeId?: string;
  /** RET of RFC 3461: what a notice of failure gives back. */
  readonly returnContent?: "full" | "headers";
  /** Submitted with SMTPUTF8, and its header has octets beyond ASCII: only servers with SMTPUTF8 may have it. */
  readonly utf8Header?: true;
  /** The message whose sender this one tells what became of it. */
  readonly noticeOf?: string;
  /** As A-labels in lower case. */
  readonly recipientDomain: string;
  /** The other addresses of the submission, which receive nothing. */
  readonly notDelivered: readonly string[];
  readonly subject: string;
  readonly policy: string;
  readonly contentId: string;
  /** Size of the composed message, at most. */
  readonly sizeBytes: number;
  /** The Message-ID header field. */
  readonly headerMessageId: string;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly template?: { readonly name: string; readonly version: number };
  readonly partition: number;
  /** The policy's, when the message was accepted. */
  readonly priority: Priority;
  readonly attempts: number;
  /** Epoch of the partition's lease under which the message was last written or claimed; missing: never. */
  readonly epoch?: number;
  /** Under way at an owner who has given the partition on: not to be touched before it is due. */
  readonly held?: true;
  /** Somebody wants it withdrawn; the partition's owner decides whether it is too late. */
  readonly cancelRequestedAt?: Date;
  /** Only while the message waits for an attempt. */
  readonly nextAttemptAt?: Date;
  readonly sendAt?: Date;
  /** Only while the key is remembered. */
  readonly idempotencyKey?: string;
  /** SHA-256 of the canonical request. */
  readonly fingerprint?: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Set when the message is finished: removed after this. */
  readonly expireAt?: Date;
}

/** A waiting message that cannot be read, and was taken out of the queue. The message itself is where it was. */
export interface QuarantineDocument {
  /** The message id. */
  readonly _id: string;
  /** What is wrong with it, as `subject: Invalid UTF-8 string in BSON document`. */
  readonly reason: string;
  readonly at: Date;
  /** What of it could be read. */
  readonly accountId?: string;
  readonly traceId?: string;
  readonly from?: string;
  readonly recipient?: string;
  readonly subject?: string;
  /** Somebody wanted it withdrawn before. */
  readonly cancelRequestedAt?: Date;
  /** The message's. */
  readonly bucket?: number | undefined;
}

/** What happened to a message. Its id follows from message, attempt and kind: written twice, it is there once. */
export interface EventDocument {
  readonly _id: string;
  /** That of its message's id. The store adds it. */
  readonly bucket?: number;
  readonly messageId: string;
  readonly accountId: string;
  readonly traceId: string;
  /** The state that it led to; `quarantined` and `released` change none. */
  readonly kind: MessageState | "quarantined" | "released";
  readonly attempt: number;
  readonly at: Date;
  readonly expireAt: Date;
  readonly via?: string;
  readonly replyCode?: number;
  readonly enhancedStatusCode?: string;
  readonly category?: string;
  readonly detail?: string;
  readonly nextAttemptAt?: Date;
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
  /** The comparison key of the address. */
  readonly addressKey: string;
  readonly address: string;
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

export interface SandboxDocument {
  /** The message id. */
  readonly _id: string;
  readonly accountId: string;
  readonly traceId: string;
  readonly envelopeFrom: string;
  readonly envelopeTo: readonly string[];
  readonly from: string;
  readonly subject: string;
  /** Missing when it is too large for one document and lies in chunks. */
  readonly source?: Binary;
  readonly chunkCount?: number;
  readonly sizeBytes: number;
  readonly capturedAt: Date;
  readonly expireAt: Date;
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
