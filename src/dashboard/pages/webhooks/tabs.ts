/** The parts of an endpoint, each on a tab. The first one is the default. */
export const webhookTabs = ["overview", "deliveries", "settings", "versions", "verify"] as const;
export type WebhookTab = (typeof webhookTabs)[number];

/** The tab in an address; undefined if it does not exist. */
export const readTab = (name: unknown): WebhookTab | undefined => webhookTabs.find((one) => one === name);
