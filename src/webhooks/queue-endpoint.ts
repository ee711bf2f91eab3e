import type { Audit } from "../shared/audit.ts";
import type { WebhookDisabled, WebhookEndpointDocument } from "../store/webhook-documents.ts";

/** A receiver of deliveries: a webhook endpoint, or an alert target. */
export type QueueEndpoint = Pick<
  WebhookEndpointDocument,
  | "_id"
  | "accountId"
  | "url"
  | "headers"
  | "secrets"
  | "version"
  | "revision"
  | "ordered"
  | "ratePerSecond"
  | "disabled"
>;

/** Endpoints of all accounts. */
export interface Endpoints {
  /** Finds the endpoints that exist. */
  findByIds(ids: readonly string[]): Promise<readonly QueueEndpoint[]>;
  /** Returns false if the endpoint has changed since. */
  disable(id: string, revision: number, disabled: WebhookDisabled, audit: Audit): Promise<boolean>;
}
