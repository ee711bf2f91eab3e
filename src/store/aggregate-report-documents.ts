import type { Db } from "mongodb";
import type { ReportHead } from "../intel/aggregate-reports/digest-reports.ts";
import type { DailyRollup } from "../rollups/daily-rollup.ts";
import type { TlsRollup } from "../rollups/tls-rollup.ts";

/** What receivers saw of one source on one day, in `dmarcRollups`: by watched domain, day, policy domain and source. */
export interface DmarcRollupDocument extends Omit<DailyRollup, "senders"> {
  readonly _id: string;
  readonly accountId: string;
  readonly domainId: string;
  /** Missing: none is known. */
  readonly senders?: DailyRollup["senders"];
  readonly expireAt: Date;
}

/** What became of sessions on one day, in `tlsRollups`: by watched domain, day, policy, result and server. */
export interface TlsRollupDocument extends TlsRollup {
  readonly _id: string;
  readonly accountId: string;
  readonly domainId: string;
  readonly expireAt: Date;
}

/** How a report has come. */
export type ReportWay = "mail" | "upload";

/** A report that was counted, in `aggregateReports`: by watched domain and what tells it apart, so that it counts once. */
export interface AggregateReportDocument extends Omit<ReportHead, "key"> {
  readonly _id: string;
  readonly accountId: string;
  readonly domainId: string;
  readonly kind: "dmarc" | "tls";
  readonly via: ReportWay;
  readonly at: Date;
  readonly expireAt: Date;
}

/** Something that came as a report, and does not count. */
export interface RefusedReport {
  /** Of what came, and its place in it: the same when it comes again. */
  readonly key: string;
  readonly at: Date;
  readonly via: ReportWay;
  /** Who has sent it, as the mail says; empty: nobody is named. */
  readonly sender: string;
  /** A sentence. */
  readonly reason: string;
}

/** What has come of reports about a watched domain, in `reportInboxes`, by the domain's id. */
export interface ReportInboxDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly counts: {
    readonly dmarc: number;
    readonly tls: number;
    /** Reports that were there already. */
    readonly repeated: number;
    readonly refused: number;
  };
  /** Reports that were counted on the last day on which any came, in UTC. */
  readonly today: { readonly day: string; readonly reports: number };
  /** The latest. */
  readonly refused: readonly RefusedReport[];
  readonly lastAt: Date;
}

export function aggregateReportCollections(db: Db) {
  return {
    dmarc: db.collection<DmarcRollupDocument>("dmarcRollups"),
    tls: db.collection<TlsRollupDocument>("tlsRollups"),
    reports: db.collection<AggregateReportDocument>("aggregateReports"),
    inboxes: db.collection<ReportInboxDocument>("reportInboxes"),
  };
}
