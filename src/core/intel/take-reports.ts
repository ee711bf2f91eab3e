import { createHash } from "node:crypto";
import { believeReport } from "../../intel/aggregate-reports/believe-report.ts";
import type { ReportDigest, ReportHead } from "../../intel/aggregate-reports/digest-reports.ts";
import type { ReportForm } from "../../intel/aggregate-reports/report-thread.ts";
import type { ReportWay } from "../../store/aggregate-report-documents.ts";
import type { WatchedDomainDocument } from "../../store/intel-documents.ts";
import type { Dependencies } from "../dependencies.ts";

/** Reports received for a watched domain. */
export interface ReportParcel {
  readonly domain: Pick<WatchedDomainDocument, "_id" | "accountId" | "name">;
  readonly bytes: Uint8Array;
  readonly form: ReportForm;
  readonly via: ReportWay;
  /** Sender according to the mail; empty: unknown. */
  readonly sender: string;
}

/** Result of one document. */
export interface TakenReport {
  /** `unknown`: the document could not be read. */
  readonly kind: "dmarc" | "tls" | "unknown";
  /** `repeated`: the document was already counted or refused. */
  readonly outcome: "counted" | "repeated" | "refused";
  /** Reason why it does not count, as a sentence; empty: it counts. */
  readonly reason: string;
  readonly head?: ReportHead;
}

/**
 * Reads received documents as reports about a domain, and counts the matching ones; refused ones are recorded. A
 * repeated call changes nothing, so a call that failed is repeated completely.
 * @returns undefined: the domain is no longer watched
 * @throws Fault service.busy, rate.limited, store.unavailable: send the documents again later
 */
export type TakeReports = (parcel: ReportParcel) => Promise<TakenReport[] | undefined>;

export function createTakeReports({
  store,
  intel,
  clock,
  log,
  onReport,
}: Pick<Dependencies, "store" | "intel" | "clock" | "log" | "onReport">): TakeReports {
  return async ({ domain: { _id: domainId, accountId, name }, bytes, form, via, sender }) => {
    const digests = await intel.reportReader.read(bytes, form);
    const { aggregateReports } = store.forAccount(accountId);
    const parcelKey = createHash("sha256").update(bytes).digest("base64url");

    async function take(digest: ReportDigest, index: number): Promise<TakenReport | undefined> {
      const at = clock.now();
      const believed = believeReport(digest, name, at);
      const reported = headOf(digest);
      if ("refusal" in believed) {
        const { refusal: reason } = believed;
        const refusal = { key: `${parcelKey}.${index}`, at, via, sender, reason };
        const outcome = await aggregateReports.refuse(domainId, refusal);
        return outcome && { ...reported, outcome, reason };
      }
      const outcome = await aggregateReports.take(domainId, believed, { at, via });
      return outcome && { ...reported, outcome, reason: "" };
    }

    const outcomes: TakenReport[] = [];
    for (const [index, digest] of digests.entries()) {
      const one = await take(digest, index);
      if (one === undefined) return undefined;
      outcomes.push(one);
      onReport(one.kind, one.outcome);
      const { kind, outcome, reason, head } = one;
      const report = { domainId, via, kind, outcome, orgName: head?.orgName, reportId: head?.reportId };
      if (outcome === "refused") log.warn({ ...report, sender, reason }, "a report was ignored");
      else log.info(report, "received a report about a watched domain");
    }
    return outcomes;
  };
}

function headOf(digest: ReportDigest): Pick<TakenReport, "kind" | "head"> {
  return digest.kind === "unreadable" ? { kind: "unknown" } : { kind: digest.kind, head: digest.head };
}
