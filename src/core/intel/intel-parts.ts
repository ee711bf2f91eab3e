import type { ReportReader } from "../../intel/aggregate-reports/report-reader.ts";
import type { ListChoice } from "../../intel/blacklists/open-lists.ts";
import type { CheckWatch } from "../../intel/monitor/check-watch.ts";
import type { ReportRenderer } from "../../intel/reports/render-report.ts";
import type { ReportAddresses } from "../../message/dsn/report-address.ts";
import type { Cursors } from "./cursors.ts";
import type { ResolverFacts } from "./workspace-to-proto.ts";

/** What Deliverability Intel needs besides the store. */
export interface IntelParts {
  readonly lists: readonly ListChoice[];
  readonly cursors: Cursors;
  /** Names and addresses that only this network has may be watched, too. */
  readonly allowsPrivate: boolean;
  readonly resolver: () => ResolverFacts;
  readonly checkWatch: CheckWatch;
  readonly reports: ReportRenderer;
  /** Where aggregate reports about watched domains are sent; undefined: there is no domain for it. */
  readonly reportAddresses: ReportAddresses | undefined;
  readonly reportReader: ReportReader;
}
