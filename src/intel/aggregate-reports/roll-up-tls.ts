import {
  failureTypes,
  type PolicyType,
  policyTypes,
  type TlsResult,
  type TlsRollup,
} from "../../rollups/tls-rollup.ts";
import { utcDay } from "../../shared/utc-day.ts";
import type { TlsPolicy, TlsReport } from "./tls-report.ts";

const HOST = /^(?=.{1,253}$)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/**
 * Aggregates the counts of a report in its order, without duplicates.
 * @param withHosts false: the failing host does not matter
 */
export function rollUpTls(
  { begin, end, policies }: TlsReport,
  { withHosts = true }: { readonly withHosts?: boolean } = {},
): TlsRollup[] {
  const day = utcDay((begin.getTime() + end.getTime()) / 2);
  const rollups = new Map<string, TlsRollup>();
  for (const policy of policies) {
    for (const [result, host, sessions] of resultsOf(policy)) {
      if (sessions === 0) continue;
      const mxHost = withHosts ? host : "";
      const policyType: PolicyType = policyTypes.find((type) => type === policy.type) ?? "other";
      const key = `${policy.domain} ${policyType} ${result} ${mxHost}`;
      const before = rollups.get(key)?.sessions ?? 0;
      const counted = { policyDomain: policy.domain, day, policyType, result, mxHost };
      rollups.set(key, { ...counted, sessions: before + sessions });
    }
  }
  return [...rollups.values()];
}

function resultsOf({ success, failure, failures }: TlsPolicy): [TlsResult, string, number][] {
  const texts = failures.reduce((sum, { count }) => sum + count, 0);
  return [
    ["success", "", success],
    ...failures.map(({ resultType, receivingMxHostname = "", count }): [TlsResult, string, number] => {
      const host = receivingMxHostname.toLowerCase().replace(/\.$/, "");
      const result = failureTypes.find((type) => type === resultType) ?? "other";
      return [result, HOST.test(host) ? host : "", count];
    }),
    // One session may fail in several ways, so the details may exceed the sum.
    ["unspecified", "", Math.max(0, failure - texts)],
  ];
}
