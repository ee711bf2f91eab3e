import type { DailyRollup } from "../../rollups/daily-rollup.ts";
import { foldSources } from "../../rollups/fold-sources.ts";
import type { TlsRollup } from "../../rollups/tls-rollup.ts";
import type { DmarcReport } from "./dmarc-report.ts";
import type { ReportReading } from "./read-reports.ts";
import { reportKey, rollUp } from "./roll-up.ts";
import { rollUpTls } from "./roll-up-tls.ts";
import type { TlsReport } from "./tls-report.ts";

/** Which report it is. Whatever it says is what a stranger claims. */
export interface ReportHead {
  /** The same for one that was sent again, and for no other. */
  readonly key: string;
  /** Empty: the report does not say; so with its id. */
  readonly orgName: string;
  readonly reportId: string;
  readonly begin: Date;
  readonly end: Date;
  /** In lower case, each once. */
  readonly policyDomains: readonly string[];
  /** Messages of DMARC, sessions of TLS. */
  readonly count: number;
  /** Rows, policies or failures that could not be read, and rows about mail of another domain. */
  readonly leftOut: number;
}

/** What is kept of one document that was sent or uploaded. */
export type ReportDigest =
  | { readonly kind: "dmarc"; readonly head: ReportHead; readonly rollups: readonly DailyRollup[] }
  | { readonly kind: "tls"; readonly head: ReportHead; readonly rollups: readonly TlsRollup[] }
  /** The reason is a sentence without its end. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** Sources by day that one report can bring, and rows of a TLS report: a large receiver sees a few hundred. */
const MAX_ROLLUPS = 2_000;
const MAX_POLICY_DOMAINS = 100;

/** Reports without what nobody asks of them again: thousands of rows become some sums. */
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
  // Receivers mix mail of other domains in: it says nothing about this one.
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

/** Reports that leave the From domain out are about the domain of the policy. */
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
