export const blacklistTabs = ["now", "past", "lists"] as const;
export type BlacklistTab = (typeof blacklistTabs)[number];
