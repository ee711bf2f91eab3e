import { readTexts } from "../../parts/read-texts.ts";

export const watchTabs = ["repairs", "checks", "history", "settings"] as const;
type WatchTab = (typeof watchTabs)[number];

/** Parameters of the address of a domain. */
interface WatchSearch {
  /** Missing: the repairs. */
  readonly tab?: Exclude<WatchTab, "repairs"> | undefined;
  /** Id of the open check. Missing: the first repair. */
  readonly check?: string | undefined;
}

export function readWatchSearch(search: Record<string, unknown>): WatchSearch {
  const { tab, check } = readTexts(search, ["tab", "check"]);
  const known = watchTabs.find((name) => name === tab);
  return { ...(known && known !== "repairs" && { tab: known }), ...(check && { check }) };
}
