/** The stored documents of webhooks. */

import { type Phrase, phrase } from "../shared/phrase.ts";

/** An endpoint that receives events of an account. Secrets and header values are encrypted in the store. */
export interface WebhookEndpointDocument {
  /** `wep_…`. */
  readonly _id: string;
  readonly accountId: string;
  /** Slot of the endpoint within the account, unique so that the maximum number is never exceeded. */
  readonly place: number;
  readonly url: string;
  /** For display; empty: none. */
  readonly description: string;
  /** Types of received events. Missing: all, including those of later releases. */
  readonly types?: readonly string[];
  /** It receives only events of messages with one of these tags. Missing: any tags. */
  readonly tags?: readonly string[];
  /** It receives only events of messages with one of these routing policies. Missing: any policy. */
  readonly policies?: readonly string[];
  /** It receives the events of a message in order, one at a time. Missing: in any order. */
  readonly ordered?: true;
  /** Largest number of attempts per second. Missing: no limit. */
  readonly ratePerSecond?: number;
  /** Sent with every request, in addition to Hermod's own headers. */
  readonly headers: readonly WebhookHeader[];
  /** Signing secrets, the newest first: one, or two during a rotation. */
  readonly secrets: readonly WebhookSecret[];
  /** Version of the payloads. */
  readonly version: string;
  /** Missing: it is enabled. */
  readonly disabled?: WebhookDisabled;
  /** Its owners were not notified of the disabling yet. */
  readonly untold?: true;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Incremented with each change: a change based on an older revision is refused. */
  readonly revision: number;
}

export interface WebhookHeader {
  readonly name: string;
  readonly value: string;
  /** Time at which the value was set. Missing: an early release stored it. */
  readonly setAt?: Date;
}

/** Settings of an endpoint as a version has them. The time of a header stands for its value. */
export type VersionedWebhook = Pick<
  WebhookEndpointDocument,
  "url" | "description" | "types" | "tags" | "policies" | "ordered" | "ratePerSecond"
> & { readonly headers: readonly Omit<WebhookHeader, "value">[] };

export interface WebhookSecret {
  /** `whsec_…`. */
  readonly secret: string;
  readonly createdAt: Date;
  /** End of its use for signatures. Missing: until it is rotated. */
  readonly expiresAt?: Date;
}

export interface WebhookDisabled {
  readonly at: Date;
  /**
   * - `owner`: a member of the account disabled it
   * - `gone`: it answered 410
   * - `failing`: all deliveries failed for days
   */
  readonly reason: "owner" | "gone" | "failing";
  /** For display. */
  readonly detail: string;
}

/** Reason for the end of the deliveries that waited. */
export function disabledPhrase({ reason, detail }: WebhookDisabled): Phrase {
  return phrase("webhook.disabled", { detail, cause: reason });
}
