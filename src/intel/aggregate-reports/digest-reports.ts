import type { DailyRollup } from "../../rollups/daily-rollup.ts";
import { foldSources } from "../../rollups/fold-sources.ts";
import type { TlsRollup } from "../../rollups/tls-rollup.ts";
import type { DmarcReport } from "./dmarc-report.ts";
import type { ReportReading } from "./read-reports.ts";
import { reportKey, rollUp } from "./roll-up.ts";
import { rollUpTls } from "./roll-up-tls.ts";
import type { TlsReport } from "./tls-report.ts";

/** Identity of a report. Its contents are unverified. */
export interface ReportHead {
  /** Key of the report. A report that is sent again has the same key, and no other report does. */
  readonly key: string;
  /** Empty: the report has no organization name. The same applies to its id. */
  readonly orgName: string;
  readonly reportId: string;
  readonly begin: Date;
  readonly end: Date;
  /** In lower case, without duplicates. */
  readonly policyDomains: readonly string[];
  /** Messages of a DMARC report, sessions of a TLS report. */
  readonly count: number;
  /** Rows, policies or failures that could not be read, and rows about mail of another domain. */
  readonly leftOut: number;
}

/** Digest of one document that was sent or uploaded. */
export type ReportDigest =
  | { readonly kind: "dmarc"; readonly head: ReportHead; readonly rollups: readonly DailyRollup[] }
  | { readonly kind: "tls"; readonly head: ReportHead; readonly rollups: readonly TlsRollup[] }
  /** The reason is a clause without a full stop. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** Daily sources from one report, and rows of a TLS report. A large receiver reports a few hundred. */
const MAX_ROLLUPS = 2_000;
const MAX_POLICY_DOMAINS = 100;

/** Reduces reports to the sums that are used later: thousands of rows become a few. */
export function* digestReports(readings: Iterable<ReportReading>): Generator<ReportDigest> {
  for (const reading of readings) yield digestOf(reading);
}

function digestOf(reading: ReportReading): ReportDigest {
  switch (reading.kind) {
    case "dmarc":
      return digestDmarc(reading.report);
    case "tls":
      return digestTls(reading.report);
    case "unreadable":
      return reading;
  }
}

function digestDmarc(report: DmarcReport): ReportDigest {
  const { orgName, reportId, begin, end, policy, leftOut } = report;
  // Some receivers mix in mail of other domains, which is irrelevant here.
  const rows = report.rows.filter(({ headerFrom }) => isOf(headerFrom.replace(/\.$/, ""), policy.domain));
  const others = report.rows.length - rows.length;
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  const head = { key: reportKey(report), orgName, reportId, begin, end, policyDomains: [policy.domain] };
  return {
    kind: "dmarc",
    head: { ...head, count, leftOut: leftOut.count + others },
    rollups: foldSources(rollUp([{ ...report, rows }]), MAX_ROLLUPS),
  };
}

/** A row without a From domain is about the domain of the policy. */
function isOf(headerFrom: string, domain: string): boolean {
  return headerFrom === "" || headerFrom === domain || headerFrom.endsWith(`.${domain}`);
}

function digestTls(report: TlsReport): ReportDigest {
  const { organizationName: orgName, reportId, begin, end, policies, leftOut } = report;
  const policyDomains = [...new Set(policies.map(({ domain }) => domain))].slice(0, MAX_POLICY_DOMAINS);
  const key = JSON.stringify([
    ...["tls", orgName.toLowerCase(), reportId, ...policyDomains],
    ...[begin.getTime(), end.getTime()],
  ]);
  const all = rollUpTls(report);
  return {
    kind: "tls",
    head: {
      key,
      orgName,
      reportId,
      begin,
      end,
      policyDomains,
      count: all.reduce((sum, { sessions }) => sum + sessions, 0),
      leftOut: policies.reduce((sum, policy) => sum + policy.leftOut.count, leftOut.count),
    },
    rollups: all.length <= MAX_ROLLUPS ? all : rollUpTls(report, { withHosts: false }).slice(0, MAX_ROLLUPS),
  };
}
