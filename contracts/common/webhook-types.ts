/** What endpoints can be told of; see docs/webhooks.md. */
export const webhookTypes = [
  "message.accepted",
  "message.scheduled",
  "message.delivered",
  "message.deferred",
  "message.bounced",
  "message.complained",
  "message.suppressed",
  "message.failed",
  "message.expired",
  "message.cancelled",
  "message.opened",
  "message.clicked",
] as const;
export type WebhookType = (typeof webhookTypes)[number];
