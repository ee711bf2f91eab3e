/** What one survey may cost, however many servers and aliases a zone names. */
export interface SurveyLimits {
  /** Lookups, each of a few datagrams at most. */
  readonly lookups: number;
  readonly timeoutMs: number;
}

export interface SurveyBudget {
  /** Takes one lookup of it; the time that the lookup may take in ms, 0: none is left. */
  take(mostMs: number): number;
}

/** What is left of a budget: what comes after its end is unknown, which is not the same as absent. */
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
