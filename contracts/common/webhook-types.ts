import { type EventType, eventTypes } from "../events.ts";

/** Type of test events, which are sent on request. */
export const TEST_TYPE = "webhook.test";

/** Event types that an endpoint can subscribe to. See docs/reference/webhooks.md. */
export type WebhookType = Exclude<EventType, typeof TEST_TYPE>;
export const webhookTypes = eventTypes.filter((type): type is WebhookType => type !== TEST_TYPE);
