import { utcDay } from "../../shared/utc-day.ts";
import type { TlsPolicy, TlsReport } from "./tls-report.ts";

/** What asked for TLS (RFC 8460 section 4.4); `other` is what no RFC knows. */
const policyTypes = ["tlsa", "sts", "no-policy-found"] as const;
type PolicyType = (typeof policyTypes)[number] | "other";

/** Of section 4.3. */
const failureTypes = [
  "starttls-not-supported",
  "certificate-host-mismatch",
  "certificate-expired",
  "certificate-not-trusted",
  "validation-failure",
  "tlsa-invalid",
  "dnssec-invalid",
  "dane-required",
  "sts-policy-fetch-error",
  "sts-policy-invalid",
  "sts-webpki-invalid",
] as const;
/** `unspecified`: the report counts failures without saying what has failed. */
export type TlsResult = "success" | (typeof failureTypes)[number] | "other" | "unspecified";

/** Sessions of senders with the mail servers of a domain on one day, by what became of them. */
export interface TlsRollup {
  readonly policyDomain: string;
  /** In UTC, as `2026-03-01`: the middle of the time that the report is about. */
  readonly day: string;
  readonly policyType: PolicyType;
  readonly result: TlsResult;
  /** The server where it failed; empty: it did not, or nobody says where. */
  readonly mxHost: string;
  readonly sessions: number;
}

const HOST = /^(?=.{1,253}$)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/**
 * What a report counts, in the order in which it does, each thing once.
 * @param withHosts false: it does not matter where it failed
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
  const told = failures.reduce((sum, { count }) => sum + count, 0);
  return [
    ["success", "", success],
    ...failures.map(({ resultType, receivingMxHostname = "", count }): [TlsResult, string, number] => {
      const host = receivingMxHostname.toLowerCase().replace(/\.$/, "");
      const result = failureTypes.find((type) => type === resultType) ?? "other";
      return [result, HOST.test(host) ? host : "", count];
    }),
    // One session may fail in several ways: the details may well come to more than the sum.
    ["unspecified", "", Math.max(0, failure - told)],
  ];
}
