import type { Db } from "mongodb";
import type { Alert } from "../alerts/alert.ts";
import type { Incident } from "../alerts/incident.ts";
import type { WebhookType } from "../shared/webhook-types.ts";
import type { AlertOutcome, AlertStatus } from "./alert-documents.ts";
import type { SuppressionDocument } from "./documents.ts";
import type { DomainEventDocument } from "./domain-document.ts";
import type { IntelReportDocument, WatchChangeDocument } from "./intel-documents.ts";
import type { WebhookDisabled, WebhookEndpointDocument } from "./webhook-documents.ts";

/** Something of an account that is no message, as it was when something happened to it. */
export type ToldSubject =
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
      /** Who or what has led to it. */
      readonly detail: string;
    } & Pick<
      Incident,
      "ruleName" | "state" | "severity" | "title" | "alerts" | "firing" | "openedAt" | "resolvedAt"
    >);

/** Something that happened to an account's subject, other than a message. */
export interface ToldChange {
  readonly eventId: string;
  readonly type: WebhookType;
  readonly at: Date;
  readonly subject: ToldSubject;
  /** The comparison key of the address that it is about. */
  readonly addressKey?: string;
}

/** One event on its way to one endpoint. */
export interface WebhookDeliveryDocument {
  /** `endpoint.event`: however often it is written, it is there once, and all its attempts are known by the same id. */
  readonly _id: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly eventId: string;
  /** As `message.delivered`. */
  readonly type: string;
  /** What it happened to; missing: to no message. */
  readonly messageId?: string;
  /** What it happened to, if to no message. */
  readonly subject?: ToldSubject;
  /** The comparison key of the address that the subject is about: who erases it finds it by this. */
  readonly addressKey?: string;
  /** When it happened. */
  readonly at: Date;
  /**
   * - `pending`: it is tried when it is due
   * - `delivered`: the endpoint has taken it
   * - `failed`: all attempts were in vain, or the endpoint was disabled before
   * - `dropped`: there is nothing to tell of any more: the message, or the endpoint, was removed
   */
  readonly state: WebhookDeliveryState;
  readonly attempts: number;
  /** When it is tried next; missing: not any more. */
  readonly dueAt?: Date;
  /** What was sent, byte for byte. Missing: nothing was. */
  readonly body?: string;
  /** The youngest last; the oldest of many are left out. */
  readonly tries: readonly WebhookTry[];
  /** When it came to its end. */
  readonly endedAt?: Date;
  /** Why, where no attempt tells. */
  readonly endReason?: string;
  readonly expireAt: Date;
}

export const webhookDeliveryStates = ["pending", "delivered", "failed", "dropped"] as const;
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number];

/** One request to an endpoint, and what it has answered. */
export interface WebhookTry {
  readonly at: Date;
  readonly durationMs: number;
  readonly url: string;
  /** Where it was connected to; missing: nowhere. */
  readonly address?: string;
  /** Of the answer; missing: there was none. */
  readonly status?: number;
  /** What happened instead of an answer, or with it, for people. */
  readonly detail: string;
  /** The beginning of the answer's body. */
  readonly answer?: string;
}

/**
 * The deliveries of one endpoint, as a whole: who looks for what is due looks here first, so that an endpoint for which
 * much waits stands in nobody's way.
 */
export interface WebhookLaneDocument {
  /** The endpoint's. */
  readonly _id: string;
  readonly accountId: string;
  /** Whoever holds it delivers. */
  readonly slot: number;
  /** When something is due; missing: nothing waits. */
  readonly wakeAt?: Date;
  /** Grows whenever something is added: who has found nothing more may not be right any longer. */
  readonly additions: number;
  /** Since when nothing that was sent there was taken; missing: the last was. */
  readonly failingSince?: Date;
  /** When that was noted last. */
  readonly failedAt?: Date;
}

/** So many parts the endpoints are divided into. */
export const WEBHOOK_SLOTS = 64;

export function webhookDeliveryId(endpointId: string, eventId: string): string {
  return `${endpointId}.${eventId}`;
}

export function webhookCollections(db: Db) {
  return {
    endpoints: db.collection<WebhookEndpointDocument>("webhookEndpoints"),
    deliveries: db.collection<WebhookDeliveryDocument>("webhookDeliveries"),
    lanes: db.collection<WebhookLaneDocument>("webhookLanes"),
  };
}
