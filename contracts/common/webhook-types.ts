import { type EventType, eventTypes } from "../events.ts";

/** Sent on request, to whoever is asked for. */
export const TEST_TYPE = "webhook.test";

/** What endpoints can be told of; see docs/webhooks.md. */
export type WebhookType = Exclude<EventType, typeof TEST_TYPE>;
export const webhookTypes = eventTypes.filter((type): type is WebhookType => type !== TEST_TYPE);
