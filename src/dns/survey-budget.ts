/** Limits of one survey, regardless of the number of servers and aliases of a zone. */
export interface SurveyLimits {
  /** Lookups, each of a few datagrams at most. */
  readonly lookups: number;
  readonly timeoutMs: number;
}

export interface SurveyBudget {
  /** Takes one lookup from the budget; returns its timeout in ms, or 0 if the budget is used up. */
  take(mostMs: number): number;
}

/** The rest of a budget. After its end, results are unknown, which differs from absent. */
export function createSurveyBudget({ lookups, timeoutMs }: SurveyLimits): SurveyBudget {
  const endMs = performance.now() + timeoutMs;
  let left = lookups;
  return {
    take: (mostMs) => {
      if (left <= 0) return 0;
      left--;
      return Math.max(0, Math.min(mostMs, endMs - performance.now()));
    },
  };
}
