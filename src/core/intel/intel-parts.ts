import type { ReportReader } from "../../intel/aggregate-reports/report-reader.ts";
import type { ListChoice } from "../../intel/blacklists/open-lists.ts";
import type { ReportRenderer } from "../../intel/reports/render-report.ts";
import type { ReportAddresses } from "../../message/dsn/report-address.ts";
import type { CheckWatch } from "../../watches/check-watch.ts";
import type { Cursors } from "./cursors.ts";
import type { ResolverFacts } from "./workspace-to-proto.ts";

/** Which reports a request is answered with at once; all others are jobs. */
export interface PromptReports {
  /** Domains of such a report at most. */
  readonly domains: number;
  /** How long a request waits for its report. */
  readonly waitMs: number;
}

/** Less than a client and the deadline of a call wait. */
export const PROMPT_REPORTS: PromptReports = { domains: 100, waitMs: 5_000 };

/** What Deliverability Intel needs besides the store. */
export interface IntelParts {
  readonly lists: readonly ListChoice[];
  readonly cursors: Cursors;
  /** Names and addresses that only this network has may be watched, too. */
  readonly allowsPrivate: boolean;
  readonly resolver: () => ResolverFacts;
  readonly checkWatch: CheckWatch;
  readonly reports: ReportRenderer;
  readonly promptReports: PromptReports;
  /** Where aggregate reports about watched domains are sent; undefined: there is no domain for it. */
  readonly reportAddresses: ReportAddresses | undefined;
  readonly reportReader: ReportReader;
}
