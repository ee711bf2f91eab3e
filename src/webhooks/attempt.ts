import type { WebhookTry } from "../store/webhook-delivery-documents.ts";

/** What came of one attempt. */
export interface Attempted {
  /** `gone`: the endpoint wants nothing more. */
  readonly verdict: "taken" | "gone" | "retry";
  readonly tried: WebhookTry;
  /** What was sent. */
  readonly body: string;
  /** When it is tried again; missing: not any more. */
  readonly dueAt?: Date;
}
