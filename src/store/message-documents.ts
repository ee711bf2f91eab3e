import type { Binary } from "mongodb";
import type { MessageContent } from "../message/content.ts";
import type { MessageSource } from "../shared/message-source.ts";
import type { MessageState } from "../shared/message-state.ts";
import type { Priority, TrackingSettings } from "./policy-document.ts";

/** The documents of messages, their bodies and events, as they are stored. Times are UTC, to the millisecond. */

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
  /** The body holds a secret: it lies encrypted in `sealedBodies`. */
  readonly sealed?: true;
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
  /** How it came. Missing: an early release stored it. */
  readonly source?: MessageSource;
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
  /** The message that this one says again, as somebody wanted. */
  readonly resentFrom?: string;
  /** The incident that it tells of. Missing: none, or several, as in a digest. */
  readonly incidentId?: string;
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
  /** What its sender says of it. Missing, also in parts: as the policy says. */
  readonly tracking?: TrackingSettings;
  /** What its recipient did with it, as far as it is tracked. Missing: nothing. */
  readonly engagement?: { readonly [Kind in EngagementKind]?: EngagementCount };
  readonly partition: number;
  /** The policy's, when the message was accepted. */
  readonly priority: Priority;
  readonly attempts: number;
  /** What its last refusal is about: see `EventDocument`. Missing: nobody has refused it, or somebody took it since. */
  readonly category?: string;
  /**
   * By transport of the policy, the place in its list of servers at which the next attempt goes on, because the last one
   * ended at its limit before the end of the list. Missing, also in part: at the beginning.
   */
  readonly resumeAt?: readonly number[];
  /** Epoch of the partition's lease under which the message was last written or claimed; missing: never. */
  readonly epoch?: number;
  /** Under way at an owner who has given the partition on: not to be touched before it is due. */
  readonly held?: true;
  /** Somebody wants it withdrawn; the partition's owner decides whether it is too late. */
  readonly cancelRequestedAt?: Date;
  /** The job that wanted so, with many others. It stays when the message is withdrawn. */
  readonly cancelRequestedBy?: string;
  /** The job that has last made it due before its time. */
  readonly retriedBy?: string;
  /** Only while the message waits for an attempt. */
  readonly nextAttemptAt?: Date;
  /** It waits for the operator, out of the queue. */
  readonly quarantinedAt?: Date;
  readonly sendAt?: Date;
  /** Only while the key is remembered. */
  readonly idempotencyKey?: string;
  /** SHA-256 of the canonical request. */
  readonly fingerprint?: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The document of the journal that told of it first. The store adds it; missing: an early release stored it. */
  readonly journal?: string;
  /** Set when the message is finished: removed after this. */
  readonly expireAt?: Date;
}

/** Kinds of events that tell what a recipient did with a message. */
export type EngagementKind = "opened" | "clicked";

export interface EngagementCount {
  readonly count: number;
  /** How many of them were made by programs. Missing: none. */
  readonly machineCount?: number;
  /** The first that a person made. Missing: nobody has. */
  readonly first?: { readonly hitId: string; readonly at: Date };
  readonly lastAt: Date;
  /** Of clicks: a digest of the link that was followed last. */
  readonly lastLink?: string;
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
  /** As for messages. The store adds it. */
  readonly journal?: string;
  /** The state that it led to; `quarantined` and those behind it change none. */
  readonly kind: MessageState | "quarantined" | "released" | "resent" | "unsubscribed" | EngagementKind;
  readonly attempt: number;
  readonly at: Date;
  readonly expireAt: Date;
  readonly via?: string;
  readonly replyCode?: number;
  readonly enhancedStatusCode?: string;
  readonly category?: string;
  readonly detail?: string;
  readonly nextAttemptAt?: Date;
  readonly nextAttemptReason?: RetryReason;
  /** Of the attempt. */
  readonly durationMs?: number;
  /** The version of TLS and the cipher suite. */
  readonly tls?: string;
  /** IP address of this machine that the connection came from. */
  readonly sourceAddress?: string;
  /** The state of the policy that the attempt went by, and its rule; missing, as for earlier releases: no transport was chosen. */
  readonly decidedBy?: PolicyChoice;
  /** What was said in the attempt, some 4,000 characters at most. */
  readonly conversation?: string;
  /** The entry of the suppression list that kept the message from being sent: an address or a domain, and its scope. */
  readonly suppression?: { readonly addressKey: string; readonly policy?: string };
  /** What is known of an open or a click. */
  readonly hit?: EventHit;
}

export interface PolicyChoice {
  readonly policy: string;
  readonly revision: string;
  /** How many rules it had. */
  readonly rules: number;
  /** The rule that decided, from 0; missing: the policy's own transports served. */
  readonly rule?: { readonly index: number; readonly pattern: string };
}

export interface EventHit {
  /** Of a click: where the link leads. */
  readonly url?: string;
  /** Why it was made by a program. Missing: nothing says that it was. */
  readonly machineReason?: string;
  /** The proxy by which a mail provider fetches pictures for its users. */
  readonly proxy?: string;
  /** It is the first of its kind that a person made. */
  readonly first?: true;
  readonly userAgent?: string;
  readonly clientAddress?: string;
}

/** Why the next attempt follows when it does: the policy's waits, or the server wants a longer one. */
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
  /** Missing when it is too large for one document and lies in chunks. */
  readonly source?: Binary;
  readonly chunkCount?: number;
  /** The message holds a secret: it lies encrypted in `sealedBodies`. */
  readonly sealed?: true;
  readonly sizeBytes: number;
  readonly capturedAt: Date;
  readonly expireAt: Date;
}
