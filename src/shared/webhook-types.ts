import type { WebhookType } from "../../contracts/common/webhook-types.ts";

export type { WebhookType };

/** Webhook types of the kinds of events. The sandbox's `captured` is its `delivered`. */
const TYPES: Readonly<Record<string, WebhookType>> = {
  accepted: "message.accepted",
  scheduled: "message.scheduled",
  delivered: "message.delivered",
  captured: "message.delivered",
  deferred: "message.deferred",
  bounced: "message.bounced",
  complained: "message.complained",
  suppressed: "message.suppressed",
  failed: "message.failed",
  expired: "message.expired",
  cancelled: "message.cancelled",
  opened: "message.opened",
  clicked: "message.clicked",
  unsubscribed: "message.unsubscribed",
};

/** Webhook type of a kind of event; undefined: endpoints do not receive it. */
export function webhookTypeOf(kind: string): WebhookType | undefined {
  return Object.hasOwn(TYPES, kind) ? TYPES[kind] : undefined;
}
