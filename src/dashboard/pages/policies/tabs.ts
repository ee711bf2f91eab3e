/** The parts of a policy, each on a tab. */
export const policyTabs = ["settings", "try", "versions", "queue"] as const;
export type PolicyTab = (typeof policyTabs)[number];

export interface PolicySearch {
  readonly tab?: Exclude<PolicyTab, "settings">;
  /** Number of the open version. */
  readonly version?: number | undefined;
  /** Numbers of the compared versions. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** The parameters of an address that the page of a policy knows. */
export function readPolicySearch(search: Readonly<Record<string, unknown>>): PolicySearch {
  const tab = policyTabs.find((one) => one === search.tab);
  const [version, before, after] = [search.version, search.before, search.after].map(numberIn);
  return {
    ...(tab !== undefined && tab !== "settings" && { tab }),
    ...(version && { version }),
    ...(before && { before }),
    ...(after && { after }),
  };
}

const numberIn = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
