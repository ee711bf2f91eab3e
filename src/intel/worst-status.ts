import type { CheckStatus } from "./check-result.ts";

/** A fault that is known counts more than what is not known. */
const WORST_FIRST: readonly CheckStatus[] = ["fail", "warn", "error", "not_tested", "pass"];

/** The status of a check that looks at several things; of none it is not tested. */
export function worstStatus(statuses: readonly CheckStatus[]): CheckStatus {
  return WORST_FIRST.find((one) => statuses.includes(one)) ?? "not_tested";
}

/** The findings of the worst status, by which the check is told. */
export function worstOf<T extends { readonly status: CheckStatus }>(findings: readonly T[]): readonly T[] {
  const worst = worstStatus(findings.map(({ status }) => status));
  return findings.filter(({ status }) => status === worst);
}
