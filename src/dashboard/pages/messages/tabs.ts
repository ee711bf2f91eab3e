/** The parts of a message that its page shows, one at a time. */
export const messageTabs = ["timeline", "preview", "text", "headers"] as const;
export type MessageTab = (typeof messageTabs)[number];
