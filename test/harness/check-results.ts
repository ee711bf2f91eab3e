import type { CheckResult, CheckStatus } from "../../src/intel/check-result.ts";

/** Reads results of checks that share a name prefix. @param prefix as `auth.spf` */
export function resultsBelow(prefix: string) {
  return {
    /** @throws Error when there is no such result */
    find(results: readonly CheckResult[], name: string): CheckResult {
      const found = results.find(({ id }) => id === `${prefix}.${name}`);
      if (!found) throw new Error(`no ${prefix}.${name}`);
      return found;
    },

    /** By the rest of their names. */
    statusesOf: (results: readonly CheckResult[]): Record<string, CheckStatus> =>
      Object.fromEntries(results.map(({ id, status }) => [id.slice(prefix.length + 1), status])),
  };
}
