import { readVersionSearch, type VersionSearch } from "../../parts/version-search.ts";

/** The parts of an alert rule, each on a tab. */
export const ruleTabs = ["settings", "try", "versions"] as const;
export type RuleTab = (typeof ruleTabs)[number];

export interface RuleSearch extends VersionSearch {
  readonly tab?: Exclude<RuleTab, "settings">;
}

/** The parameters of an address that the page of a rule knows. */
export function readRuleSearch(search: Readonly<Record<string, unknown>>): RuleSearch {
  const tab = ruleTabs.find((one) => one === search.tab);
  return { ...(tab !== undefined && tab !== "settings" && { tab }), ...readVersionSearch(search) };
}
