import type { Db } from "mongodb";
import type { ReportHead } from "../intel/aggregate-reports/digest-reports.ts";
import type { DailyRollup } from "../rollups/daily-rollup.ts";
import type { TlsRollup } from "../rollups/tls-rollup.ts";

/**
 * Mail from one source on one day, as reported by receivers, in `dmarcRollups`: by watched domain, day, policy domain
 * and source.
 */
export interface DmarcRollupDocument extends Omit<DailyRollup, "senders"> {
  readonly _id: string;
  readonly accountId: string;
  readonly domainId: string;
  /** Missing: no sender is known. */
  readonly senders?: DailyRollup["senders"];
  readonly expireAt: Date;
}

/** Results of sessions on one day, in `tlsRollups`: by watched domain, day, policy, result and server. */
export interface TlsRollupDocument extends TlsRollup {
  readonly _id: string;
  readonly accountId: string;
  readonly domainId: string;
  readonly expireAt: Date;
}

/** Transport of a report. */
export type ReportWay = "mail" | "upload";

/** A counted report, in `aggregateReports`: by watched domain and key, so that it counts once. */
export interface AggregateReportDocument extends Omit<ReportHead, "key"> {
  readonly _id: string;
  readonly accountId: string;
  readonly domainId: string;
  readonly kind: "dmarc" | "tls";
  readonly via: ReportWay;
  readonly at: Date;
  readonly expireAt: Date;
}

/** A document that arrived as a report and does not count. */
export interface RefusedReport {
  /** Key of the document and its position. It is the same when the document arrives again. */
  readonly key: string;
  readonly at: Date;
  readonly via: ReportWay;
  /** Sender according to the mail; empty: none is named. */
  readonly sender: string;
  /** A sentence. */
  readonly reason: string;
}

/** Reports that have arrived for a watched domain, in `reportInboxes`, by the domain's id. */
export interface ReportInboxDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly counts: {
    readonly dmarc: number;
    readonly tls: number;
    /** Duplicate reports. */
    readonly repeated: number;
    readonly refused: number;
  };
  /** Reports counted on the last day with any, in UTC. */
  readonly today: { readonly day: string; readonly reports: number };
  /** The latest ones. */
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
