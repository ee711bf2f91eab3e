import type { CheckStatus } from "./check-result.ts";

/** A known fault ranks before an unknown result. */
const WORST_FIRST: readonly CheckStatus[] = ["fail", "warn", "error", "not_tested", "pass"];

/** Status of a check with several parts; `not_tested` without any part. */
export function worstStatus(statuses: readonly CheckStatus[]): CheckStatus {
  return WORST_FIRST.find((one) => statuses.includes(one)) ?? "not_tested";
}

/** The findings with the worst status, which describe the check. */
export function worstOf<T extends { readonly status: CheckStatus }>(findings: readonly T[]): readonly T[] {
  const worst = worstStatus(findings.map(({ status }) => status));
  return findings.filter(({ status }) => status === worst);
}
