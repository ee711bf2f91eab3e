import type { Db } from "mongodb";
import type { Alert } from "../alerts/alert.ts";
import type { Incident } from "../alerts/incident.ts";
import { type Phrase, phrase, type TextPart } from "../shared/phrase.ts";
import type { WebhookType } from "../shared/webhook-types.ts";
import type { AlertOutcome, AlertStatus } from "./alert-documents.ts";
import type { SuppressionDocument } from "./documents.ts";
import type { DomainEventDocument } from "./domain-document.ts";
import type { IntelReportDocument, WatchChangeDocument } from "./intel-documents.ts";
import type { WebhookDisabled, WebhookEndpointDocument } from "./webhook-documents.ts";

/** A resource of an account other than a message, in its state at the event. */
export type EventSubject =
  | {
      readonly kind: "report";
      readonly report: Pick<IntelReportDocument, "_id" | "workspaceId" | "scope" | "period">;
    }
  | {
      readonly kind: "watch";
      readonly change: Omit<
        WatchChangeDocument,
        "_id" | "accountId" | "at" | "kind" | "unalerted" | "expireAt"
      >;
    }
  | {
      readonly kind: "suppression";
      readonly entry: Omit<SuppressionDocument, "_id" | "accountId" | "domain">;
    }
  | {
      readonly kind: "domain";
      readonly change: Pick<DomainEventDocument, "domain" | "from" | "to" | "reasons">;
    }
  | {
      readonly kind: "webhook";
      readonly endpointId: string;
      readonly host: string;
      readonly disabled: WebhookDisabled;
    }
  | {
      readonly kind: "webhook_outage";
      readonly endpointId: string;
      readonly host: string;
      /** Start of the failure. */
      readonly since: Date;
      /** The last failure. Missing at the end of the outage. */
      readonly detail?: string;
    }
  | {
      readonly kind: "webhook_exhausted";
      readonly endpointId: string;
      readonly host: string;
      readonly deliveryId: string;
      /** The event that was not delivered. */
      readonly exhaustedId: string;
      readonly eventType: string;
      readonly attempts: number;
      readonly detail: string;
    }
  | {
      readonly kind: "alert";
      readonly alertId: string;
      readonly traceId: string;
      readonly status: AlertStatus;
      readonly alert: Omit<Alert, "context">;
      readonly outcome: Pick<AlertOutcome, "status" | "incidentIds">;
    }
  | ({
      readonly kind: "incident";
      readonly incidentId: string;
      readonly latestAlertId: string;
      /** The cause or the initiator. */
      readonly detail: string;
    } & Pick<
      Incident,
      "ruleName" | "state" | "severity" | "title" | "alerts" | "firing" | "openedAt" | "resolvedAt"
    >);

/** An event about a resource of an account other than a message. */
export interface OutboxEvent {
  readonly eventId: string;
  readonly type: WebhookType;
  readonly at: Date;
  readonly subject: EventSubject;
  /** Comparison key of the address that it concerns. */
  readonly addressKey?: string;
}

/** Delivery of one event to one endpoint. */
export interface WebhookDeliveryDocument {
  /** `endpoint.event`: unique for repeated writes, and the same id for all attempts. */
  readonly _id: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly eventId: string;
  /** Such as `message.delivered`. */
  readonly type: string;
  /** Message of the event. Missing: the event has no message. */
  readonly messageId?: string;
  /** Subject of an event without a message. */
  readonly subject?: EventSubject;
  /** Comparison key of the address that the subject concerns, so that an erasure finds it. */
  readonly addressKey?: string;
  /** Time of the event. */
  readonly at: Date;
  /**
   * - `pending`: it is attempted when it is due
   * - `delivered`: the endpoint has accepted it
   * - `failed`: all attempts failed, or the endpoint was disabled before
   * - `dropped`: its message or endpoint was removed
   */
  readonly state: WebhookDeliveryState;
  readonly attempts: number;
  /** Time of the next attempt. Missing: there is none. */
  readonly dueAt?: Date;
  /** The sent body, byte for byte. Missing: nothing was sent. */
  readonly body?: string;
  /** The latest attempt last. The oldest of many are left out. */
  readonly tries: readonly WebhookTry[];
  /** Headers of the latest attempts, the latest last. Missing: there was none, or an earlier release made them. */
  readonly exchanges?: readonly WebhookExchange[];
  /**
   * Answer to the last attempt; `untried`: there was no attempt. Missing: an earlier release wrote the delivery, and
   * `tries` has the answer.
   */
  readonly answered?: WebhookAnswered | "untried";
  /** Time of its end. */
  readonly endedAt?: Date;
  /** Reason of its end, if no attempt contains it. */
  readonly endReason?: string;
  /** Parts of `endReason`. Missing: an earlier release ended the delivery. */
  readonly endReasonParts?: readonly TextPart[];
  readonly expireAt: Date;
}

export const webhookDeliveryStates = ["pending", "delivered", "failed", "dropped"] as const;
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number];

/** Class of the status of an answer; `none`: there was no answer. */
export const webhookAnswers = ["2xx", "3xx", "4xx", "5xx", "none"] as const;
export type WebhookAnswered = (typeof webhookAnswers)[number];

/** A status outside of the known classes counts as a server's error (RFC 9110 section 15). */
export function answeredOf({ status }: Pick<WebhookTry, "status">): WebhookAnswered {
  if (status === undefined) return "none";
  return webhookAnswers.find((known) => known.startsWith(String(Math.floor(status / 100)))) ?? "5xx";
}

/** Result of an attempt with a complete answer. */
export function answeredPhrase(status: number): Phrase {
  return phrase(status >= 300 && status < 400 ? "webhook.redirected" : "webhook.answered", { status });
}

/** Result of an attempt. A complete answer has one text, so its parts are not stored. */
export function triedPhrase({
  detail: text,
  detailParts,
  status,
}: Pick<WebhookTry, "detail" | "detailParts" | "status">): Phrase {
  if (detailParts || status === undefined) return { text, parts: detailParts ?? [] };
  const answered = answeredPhrase(status);
  return text === answered.text ? answered : { text, parts: [] };
}

/** Fields of the reason for the end of a delivery. */
export const endReasonFields = ({ text, parts }: Phrase) => ({ endReason: text, endReasonParts: parts });

/**
 * Headers of one attempt, a line for each: `name: value`, or only the name for a header of the endpoint, which
 * has a secret value.
 */
export interface WebhookExchange {
  /** As in the attempt. */
  readonly at: Date;
  readonly request: string;
  /** Beginning of the answer's headers. Missing: no complete headers arrived. */
  readonly response?: string;
  /** Further headers of the answer are left out. */
  readonly isCut?: true;
}

/** One request to an endpoint, with the answer. */
export interface WebhookTry {
  readonly at: Date;
  readonly durationMs: number;
  readonly url: string;
  /** Connected address. Missing: no connection. */
  readonly address?: string;
  /** HTTP status of the answer. Missing: no answer. */
  readonly status?: number;
  /** Error, or a remark about the answer, for display. */
  readonly detail: string;
  /** Parts of `detail`. Missing: `triedPhrase` has them, or an earlier release made the attempt. */
  readonly detailParts?: readonly TextPart[];
  /** The beginning of the answer's body. */
  readonly answer?: string;
}

/**
 * The deliveries of one endpoint as a whole. A search for due deliveries reads this document first, so that an
 * endpoint with many waiting deliveries does not delay others.
 */
export interface WebhookQueueDocument {
  /** Id of the endpoint. */
  readonly _id: string;
  readonly accountId: string;
  /** The worker that holds this slot delivers. */
  readonly slot: number;
  /** Time of the next due delivery. Missing: none is waiting. */
  readonly wakeAt?: Date;
  /** Nothing is sent before this time: the receiver has asked for a pause. Missing: it has not. */
  readonly heldUntil?: Date;
  /** Incremented with each addition, so that a concurrent search without a result is detected. */
  readonly additions: number;
  /** Start of the current failure: no delivery was accepted since. Missing: the last was accepted. */
  readonly failingSince?: Date;
  /** Time of the last recorded failure. */
  readonly failedAt?: Date;
  /** Time at which the other endpoints were notified of the failure. Missing: not yet. */
  readonly failingPublishedAt?: Date;
}

/** Number of slots into which the endpoints are divided. */
export const WEBHOOK_SLOTS = 64;

export function webhookDeliveryId(endpointId: string, eventId: string): string {
  return `${endpointId}.${eventId}`;
}

export function webhookCollections(db: Db) {
  return {
    endpoints: db.collection<WebhookEndpointDocument>("webhookEndpoints"),
    deliveries: db.collection<WebhookDeliveryDocument>("webhookDeliveries"),
    lanes: db.collection<WebhookQueueDocument>("webhookLanes"),
  };
}
