import { readVersionSearch, type VersionSearch } from "../../parts/version-search.ts";

/** The parts of a policy, each on a tab. */
export const policyTabs = ["settings", "try", "versions", "queue"] as const;
export type PolicyTab = (typeof policyTabs)[number];

export interface PolicySearch extends VersionSearch {
  readonly tab?: Exclude<PolicyTab, "settings">;
}

/** The parameters of an address that the page of a policy knows. */
export function readPolicySearch(search: Readonly<Record<string, unknown>>): PolicySearch {
  const tab = policyTabs.find((one) => one === search.tab);
  return { ...(tab !== undefined && tab !== "settings" && { tab }), ...readVersionSearch(search) };
}
