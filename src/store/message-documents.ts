import type { Binary } from "mongodb";
import type { MessageContent } from "../message/content.ts";
import type { MessageSource } from "../shared/message-source.ts";
import type { MessageState } from "../shared/message-state.ts";
import type { TextPart } from "../shared/phrase.ts";
import type { Priority, TrackingSettings } from "./policy-document.ts";

/** The stored documents of messages, their bodies and events. Times are UTC, in milliseconds. */

/** A body, one per submission: several recipients share it. */
export interface ContentDocument {
  readonly _id: string;
  /** Bucket of its id. Missing: an early release stored it, and it was not migrated. */
  readonly bucket?: number;
  readonly accountId: string;
  readonly createdAt: Date;
  readonly expireAt: Date;
  /**
   * Contents from the sender. This or `source` is missing if it is too large for one document and is stored in
   * chunks.
   */
  readonly content?: StoredContent;
  /** A complete message. */
  readonly source?: Binary;
  /** The chunks contain a complete message. */
  readonly raw?: true;
  readonly chunkCount?: number;
  /** The body contains a secret: it is stored encrypted in `sealedBodies`. */
  readonly sealed?: true;
}

/** A piece of a large value. Its id is `owner.number`, from 0. */
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

/** Outcomes for which the sender requests notices (RFC 3461 section 4.1); `never` excludes the others. */
export type DsnNotify = "never" | "success" | "failure" | "delay";

/** One message to one recipient: both the queue entry and the customer's record. */
export interface MessageDocument {
  /** The public message_id. */
  readonly _id: string;
  /** Shard key of the database, 0 to 65,535. Every write contains it. Missing: as for contents. */
  readonly bucket: number | undefined;
  readonly accountId: string;
  readonly keyId: string;
  /** The public sx_trace_id, one per submission. */
  readonly traceId: string;
  readonly operation: string;
  /** Source of the submission. Missing: an early release stored it. */
  readonly source?: MessageSource;
  readonly state: MessageState;
  /** Address of the sender in the From field. */
  readonly from: string;
  /** MAIL FROM, if it differs from the From field. */
  readonly envelopeFrom?: string;
  readonly recipient: string;
  /** NOTIFY of RFC 3461. Missing: not given. */
  readonly notify?: readonly DsnNotify[];
  /** ORCPT of RFC 3461, such as `rfc822;ada@example.com`. */
  readonly originalRecipient?: string;
  /** ENVID of RFC 3461, decoded. */
  readonly envelopeId?: string;
  /** RET of RFC 3461: contents to return in a failure notice. */
  readonly returnContent?: "full" | "headers";
  /** Submitted with SMTPUTF8, with a non-ASCII header: only servers with SMTPUTF8 may receive it. */
  readonly utf8Header?: true;
  /** The message about which this notice reports to its sender. */
  readonly noticeOf?: string;
  /** The message that this one resends on request. */
  readonly resentFrom?: string;
  /** The incident of a notification. Missing: none, or several in a digest. */
  readonly incidentId?: string;
  /** In A-labels and lower case. */
  readonly recipientDomain: string;
  /** The other addresses of the submission, which receive nothing. */
  readonly notDelivered: readonly string[];
  readonly subject: string;
  readonly policy: string;
  readonly contentId: string;
  /** Maximum size of the composed message. */
  readonly sizeBytes: number;
  /** The Message-ID header field. */
  readonly headerMessageId: string;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly template?: { readonly name: string; readonly version: number };
  /** Tracking settings of the sender. Missing, or partly missing: those of the policy. */
  readonly tracking?: TrackingSettings;
  /** Tracked actions of the recipient. Missing: none. */
  readonly engagement?: { readonly [Kind in EngagementKind]?: EngagementCount };
  readonly partition: number;
  /** Priority of the policy at acceptance. */
  readonly priority: Priority;
  readonly attempts: number;
  /** Category of the last refusal: see `EventDocument`. Missing: no refusal, or a server accepted it since. */
  readonly category?: string;
  /**
   * For each transport of the policy, the position in its server list at which the next attempt continues, because
   * the last attempt reached its limit before the end of the list. Missing, or partly missing: at the beginning.
   */
  readonly resumeAt?: readonly number[];
  /** Epoch of the partition lease of the last write or claim. Missing: never. */
  readonly epoch?: number;
  /** An owner that has released the partition is still delivering it. It must not be claimed before it is due. */
  readonly held?: true;
  /** Time of a cancel request. The partition's owner decides whether it is too late. */
  readonly cancelRequestedAt?: Date;
  /** The job that requested the cancellation, together with others. It stays after the cancellation. */
  readonly cancelRequestedBy?: string;
  /** The job that last made the message due early. */
  readonly retriedBy?: string;
  /** Only while the message waits for an attempt. */
  readonly nextAttemptAt?: Date;
  /** The message waits for the operator, outside of the queue. */
  readonly quarantinedAt?: Date;
  readonly sendAt?: Date;
  /** Only during the retention of the key. */
  readonly idempotencyKey?: string;
  /** SHA-256 of the canonical request. */
  readonly fingerprint?: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The journal document that first contained it. The store adds it. Missing: an early release stored it. */
  readonly journal?: string;
  /** Set when the message is finished. It is removed after this time. */
  readonly expireAt?: Date;
  /** The event of the attempt that delivered it. It never changes. Missing: it is an event of its own, or there is none. */
  readonly end?: MessageEnd;
}

/** An event without the fields that its message has. */
export type MessageEnd = Omit<
  EventDocument,
  "_id" | "bucket" | "messageId" | "accountId" | "traceId" | "expireAt"
>;

/** Kinds of events about a recipient's actions. */
export type EngagementKind = "opened" | "clicked";

export interface EngagementCount {
  readonly count: number;
  /** Number of actions by programs. Missing: none. */
  readonly machineCount?: number;
  /** The first action by a person. Missing: none. */
  readonly first?: { readonly hitId: string; readonly at: Date };
  readonly lastAt: Date;
  /** For clicks: digest of the last clicked link. */
  readonly lastLink?: string;
}

/** An unreadable waiting message that was removed from the queue. The message itself stays in its collection. */
export interface QuarantineDocument {
  /** The message id. */
  readonly _id: string;
  /** Reason, such as `subject: Invalid UTF-8 string in BSON document`. */
  readonly reason: string;
  readonly at: Date;
  /** The readable fields of the message. */
  readonly accountId?: string;
  readonly traceId?: string;
  readonly from?: string;
  readonly recipient?: string;
  readonly subject?: string;
  /** Time of an earlier cancel request. */
  readonly cancelRequestedAt?: Date;
  /** Bucket of the message. */
  readonly bucket?: number | undefined;
}

/** An event of a message. Its id follows from message, attempt and kind, so that repeated writes store it once. */
export interface EventDocument {
  readonly _id: string;
  /** Bucket of its message's id. The store adds it. */
  readonly bucket?: number;
  readonly messageId: string;
  readonly accountId: string;
  readonly traceId: string;
  /** As for messages. The store adds it. */
  readonly journal?: string;
  /** The resulting state; `quarantined` and the following kinds change no state. */
  readonly kind: MessageState | "quarantined" | "released" | "resent" | "unsubscribed" | EngagementKind;
  readonly attempt: number;
  readonly at: Date;
  readonly expireAt: Date;
  readonly via?: string;
  readonly replyCode?: number;
  readonly enhancedStatusCode?: string;
  readonly category?: string;
  readonly detail?: string;
  /** Parts of `detail`. Missing: it is the text of a server or has no codes, or a former release stored it. */
  readonly detailParts?: readonly TextPart[];
  readonly nextAttemptAt?: Date;
  readonly nextAttemptReason?: RetryReason;
  /** Duration of the attempt. */
  readonly durationMs?: number;
  /** TLS version and cipher suite. */
  readonly tls?: string;
  /** Local IP address of the connection. */
  readonly sourceAddress?: string;
  /**
   * Version of the policy and the rule that decided about the attempt. Missing, as in earlier releases: no transport
   * was chosen.
   */
  readonly decidedBy?: PolicyChoice;
  /** SMTP dialogue of the attempt, at most about 4,000 characters. */
  readonly conversation?: string;
  /** The suppression entry that prevented sending: an address or a domain, with its scope. */
  readonly suppression?: { readonly addressKey: string; readonly policy?: string };
  /** Facts about an open or a click. */
  readonly hit?: EventHit;
}

export interface PolicyChoice {
  readonly policy: string;
  readonly revision: string;
  /** Number of its rules. */
  readonly rules: number;
  /** The deciding rule, from 0. Missing: the policy's own transports were used. */
  readonly rule?: { readonly index: number; readonly pattern: string };
}

export interface EventHit {
  /** For a click: target of the link. */
  readonly url?: string;
  /** Why it was classified as a program's action. Missing: it was not. */
  readonly machineReason?: string;
  /** The proxy of a mail provider that fetches pictures for its users. */
  readonly proxy?: string;
  /** The first action of its kind by a person. */
  readonly first?: true;
  readonly userAgent?: string;
  readonly clientAddress?: string;
}

/** Reason of the retry time: the policy's schedule, or a longer wait requested by the server. */
export type RetryReason = "schedule" | "server";

export interface SandboxDocument {
  /** The message id. */
  readonly _id: string;
  readonly accountId: string;
  readonly traceId: string;
  readonly envelopeFrom: string;
  readonly envelopeTo: readonly string[];
  readonly from: string;
  readonly subject: string;
  /** Missing if it is too large for one document and is stored in chunks. */
  readonly source?: Binary;
  readonly chunkCount?: number;
  /** The message contains a secret: it is stored encrypted in `sealedBodies`. */
  readonly sealed?: true;
  readonly sizeBytes: number;
  readonly capturedAt: Date;
  readonly expireAt: Date;
}
