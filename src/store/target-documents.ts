import type { Db } from "mongodb";
import type { TargetKind } from "../alerts/notify/target.ts";
import type { TextPart } from "../shared/phrase.ts";
import type { WebhookDeliveryDocument, WebhookQueueDocument } from "./webhook-delivery-documents.ts";
import type { WebhookHeader, WebhookSecret } from "./webhook-documents.ts";

/** The stored documents of alert targets. */

/** A receiver of alert notices in addition to mail. URL, secrets and values of headers are encrypted in the store. */
export interface TargetDocument {
  /** `atg_…`. */
  readonly _id: string;
  readonly accountId: string;
  /** Unique within the account. */
  readonly name: string;
  /** It never changes. */
  readonly kind: TargetKind;
  /** Chat services accept every message with it: it is a secret. */
  readonly url: string;
  /** For display; empty: none. */
  readonly description: string;
  /** Sent with every request, in addition to Hermod's own headers. */
  readonly headers: readonly WebhookHeader[];
  /** Signing secrets of a webhook, the newest first: one, or two during a rotation. Empty for other kinds. */
  readonly secrets: readonly WebhookSecret[];
  /** Largest number of requests per second. */
  readonly ratePerSecond: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Incremented with each change. */
  readonly revision: number;
}

/** Delivery of one notice to one target: a webhook delivery with other facts. `endpointId` is the id of the target. */
export interface TargetDeliveryDocument extends WebhookDeliveryDocument {
  /** Name and kind of the target when the notice was settled. */
  readonly targetName: string;
  readonly targetKind: TargetKind;
  readonly ruleName: string;
  /** Missing: a digest. */
  readonly incidentId?: string;
  /** Number of the notice within the incident, or of the digest. */
  readonly number: number;
}

/** Types of deliveries. */
export type TargetDeliveryType = "incident.notice" | "incident.digest";

/** The deliveries of one target as a whole. */
export interface TargetQueueDocument extends WebhookQueueDocument {
  /** Time of the last accepted delivery. Missing: there was none. */
  readonly deliveredAt?: Date;
  /** The last failed attempt. Missing: there was none. */
  readonly lastFailure?: TargetFailure;
}

export interface TargetFailure {
  readonly at: Date;
  /** For display. */
  readonly detail: string;
  /** Parts of `detail`. Missing: an earlier release stored it. */
  readonly detailParts?: readonly TextPart[];
}

export const TARGETS = "alertTargets";

export function targetCollections(db: Db) {
  return {
    deliveries: db.collection<TargetDeliveryDocument>("alertDeliveries"),
    queues: db.collection<TargetQueueDocument>("alertLanes"),
    /** The same collections with the fields that the queue of webhook deliveries uses. */
    queued: {
      deliveries: db.collection<WebhookDeliveryDocument>("alertDeliveries"),
      lanes: db.collection<WebhookQueueDocument>("alertLanes"),
    },
  };
}
