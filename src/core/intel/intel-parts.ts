import type { ReportReader } from "../../intel/aggregate-reports/report-reader.ts";
import type { ListChoice } from "../../intel/blacklists/open-lists.ts";
import type { ReportRenderer } from "../../intel/reports/render-report.ts";
import type { ReportAddresses } from "../../message/dsn/report-address.ts";
import type { CheckWatch } from "../../watches/check-watch.ts";
import type { Cursors } from "./cursors.ts";
import type { ResolverFacts } from "./workspace-to-proto.ts";

/** Limits of reports that are returned directly; all others are jobs. */
export interface PromptReports {
  /** Maximum number of domains of such a report. */
  readonly domains: number;
  /** Maximum wait of a request for its report. */
  readonly waitMs: number;
}

/** Shorter than the wait of a client and the deadline of a call. */
export const PROMPT_REPORTS: PromptReports = { domains: 100, waitMs: 5_000 };

/** Dependencies of Deliverability Intel in addition to the store. */
export interface IntelParts {
  readonly lists: readonly ListChoice[];
  readonly cursors: Cursors;
  /** Permits names and addresses of the local network. */
  readonly allowsPrivate: boolean;
  readonly resolver: () => ResolverFacts;
  readonly checkWatch: CheckWatch;
  readonly reports: ReportRenderer;
  readonly promptReports: PromptReports;
  /** Addresses for aggregate reports about watched domains; undefined: there is no domain for them. */
  readonly reportAddresses: ReportAddresses | undefined;
  readonly reportReader: ReportReader;
}
