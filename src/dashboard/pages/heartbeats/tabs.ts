import { readTexts } from "../../parts/read-texts.ts";

export const heartbeatTabs = ["overview", "setup", "settings"] as const;
export type HeartbeatTab = (typeof heartbeatTabs)[number];

export interface HeartbeatSearch {
  /** Missing: the overview. */
  readonly tab?: Exclude<HeartbeatTab, "overview">;
}

export const readHeartbeatSearch = (search: Record<string, unknown>): HeartbeatSearch => {
  const { tab } = readTexts(search, ["tab"]);
  return tab === "setup" || tab === "settings" ? { tab } : {};
};
