import type { DailyRollup } from "./daily-rollup.ts";
import { asOther, foldSources, sumOf } from "./fold-sources.ts";

/** Maximum number of separate sources while summing. Sources beyond it are combined. */
const MAX_SUMMED = 20_000;

/**
 * Sums consecutive days: one sum for each policy domain and source, with its first day.
 * @param most number of separate sources in the result, those with the most messages
 */
export function createDaySums(most: number) {
  const sums = new Map<string, DailyRollup>();
  return {
    add(rollups: readonly DailyRollup[]): void {
      for (const rollup of rollups) {
        const key = `${rollup.policyDomain} ${rollup.sourceIp}`;
        const before = sums.get(key);
        if (before) sums.set(key, sumOf(before, rollup));
        else if (sums.size < MAX_SUMMED) sums.set(key, rollup);
        else {
          const beyond = asOther(rollup);
          const other = `${beyond.policyDomain} ${beyond.sourceIp}`;
          const known = sums.get(other);
          sums.set(other, known ? sumOf(known, beyond) : beyond);
        }
      }
    },
    sums: (): DailyRollup[] => foldSources([...sums.values()], most),
  };
}
