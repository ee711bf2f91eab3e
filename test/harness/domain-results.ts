import { type CatalogueEntry, type CheckId, catalogue, type DomainRole } from "../../src/intel/catalogue.ts";
import type { CheckStatus } from "../../src/intel/check-result.ts";
import type { DomainResults } from "../../src/intel/score/outcomes.ts";

export type Statuses = Readonly<Partial<Record<CheckId, CheckStatus>>>;

export interface DomainCase extends Partial<Omit<DomainResults, "results" | "role">> {
  readonly role?: DomainRole;
  /** Statuses of the checks that do not pass. */
  readonly but?: Statuses;
}

export const checkIds = Object.keys(catalogue) as (keyof typeof catalogue)[];

export function needOf(id: CheckId): CheckId | undefined {
  const entries: Readonly<Record<string, CatalogueEntry>> = catalogue;
  return entries[id]?.needs as CheckId | undefined;
}

/** Returns the dependencies of a check, direct and indirect. */
export function needsOf(id: CheckId): CheckId[] {
  const need = needOf(id);
  return need ? [need, ...needsOf(need)] : [];
}

/** Returns results of a healthy domain with these exceptions. Checks that depend on a failing check are not tested. */
export function domainResults({
  role = "sending",
  but = {},
  lastResults = {},
  overBudget = [],
  blacklistWeights = {},
}: DomainCase = {}): DomainResults {
  const ids: CheckId[] = [...checkIds, ...(Object.keys(blacklistWeights) as CheckId[])];
  const statuses = new Map(ids.map((id) => [id, but[id] ?? "pass"]));
  const results = ids.map((id) => {
    const isLost = needsOf(id).some((need) => statuses.get(need) === "fail");
    return { id, status: isLost ? "not_tested" : (statuses.get(id) ?? "pass") } as const;
  });
  return { role, results, lastResults, overBudget, blacklistWeights };
}
