import type { Target } from "../../api/targets.ts";
import { readTexts } from "../../parts/read-texts.ts";

export const targetTabs = ["overview", "settings"] as const;
export type TargetTab = (typeof targetTabs)[number];

interface TargetSearch {
  /** Missing: the overview. */
  readonly tab?: Exclude<TargetTab, "overview">;
}

export const readTargetSearch = ({ tab }: Record<string, unknown>): TargetSearch =>
  tab === "settings" ? { tab } : {};

const filterNames = ["kind", "state", "search"] as const;
/** Filters of the list of targets, as in the address. */
export type TargetFilter = { readonly [Name in (typeof filterNames)[number]]?: string | undefined };

export const readTargetFilter = (search: Record<string, unknown>): TargetFilter =>
  readTexts(search, filterNames);

/** The page has all targets, and filters them itself. */
export function matching(targets: readonly Target[], { kind, state, search = "" }: TargetFilter): Target[] {
  const text = search.toLowerCase();
  return targets.filter(
    (target) =>
      (kind === undefined || target.kind === kind) &&
      (state === undefined || target.state === state) &&
      [target.name, target.description, target.host].some((one) => one.toLowerCase().includes(text)),
  );
}
