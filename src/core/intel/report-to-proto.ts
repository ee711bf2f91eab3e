import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ReportLinkSchema, ReportSchema } from "../../../gen/hermod/report/v1/report_service_pb.ts";
import { timeOfId } from "../../shared/ids.ts";
import { type Phrase, phrase } from "../../shared/phrase.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { IntelReportDocument } from "../../store/intel-documents.ts";
import type { JobDocument } from "../../store/job-documents.ts";
import type { ReportLinkDocument } from "../../store/report-link-document.ts";
import { reasonFields } from "../text-parts.ts";
import { storedFormat } from "./make-report.ts";
import { type ReportParams, reportSteps } from "./report-job.ts";

/** A finished report. */
export function toReport(report: IntelReportDocument): MessageInitShape<typeof ReportSchema> {
  const { _id: id, workspaceId, scope, period, generatedAt, expireAt, form } = report;
  return {
    id,
    workspaceId,
    scope,
    ...formatOf(form),
    period: { from: timestampFromDate(period.from), to: timestampFromDate(period.to) },
    state: "ready",
    createdAt: timestampFromDate(timeOfId(id)),
    generatedAt: timestampFromDate(generatedAt),
    expiresAt: timestampFromDate(expireAt),
  };
}

/** A report that its job has not created. */
export function toPendingReport(
  job: JobDocument,
  { reportId: id, workspaceId, wish }: ReportParams,
): MessageInitShape<typeof ReportSchema> {
  const { type, id: scopeId } = wish.scope;
  const { from, to } = wish.period;
  const isOpen = job.state === "queued" || job.state === "running";
  const ended = job.state === "cancelled" ? "cancelled" : "failed";
  return {
    id,
    workspaceId,
    scope: { type, id: type === "workspace" ? scopeId || workspaceId : scopeId },
    ...formatOf(storedFormat(wish)),
    period: { from: timestampFromDate(from), to: timestampFromDate(to) },
    state: isOpen ? job.state : ended,
    createdAt: timestampFromDate(job.createdAt),
    ...(isOpen ? { progress: { done: job.done, total: reportSteps(wish) } } : reasonFields(reasonOf(job))),
  };
}

/** Reason why a job created no report. */
function reasonOf({ state, failure }: JobDocument): Phrase {
  if (state === "cancelled") return phrase("report.cancelled");
  // The details of an internal fault are only logged.
  if (!failure) return phrase("report.not_created");
  return phrase("report.not_created_because", { code: failure.code, detail: failure.message });
}

export function toReportLink(link: ReportLinkDocument, now: Date): MessageInitShape<typeof ReportLinkSchema> {
  const { _id: id, workspaceId, reportId, reportName, note, createdAt, endsAt, revokedAt } = link;
  const { opens, downloads, firstOpenedAt, lastOpenedAt } = link;
  return {
    id,
    workspaceId,
    reportId,
    reportName,
    state: stateOf(link, now),
    createdAt: timestampFromDate(createdAt),
    expiresAt: timestampFromDate(endsAt),
    opens,
    downloads,
    ...withoutUndefined({ note }),
    ...(revokedAt && { revokedAt: timestampFromDate(revokedAt) }),
    ...(firstOpenedAt && { firstOpenedAt: timestampFromDate(firstOpenedAt) }),
    ...(lastOpenedAt && { lastOpenedAt: timestampFromDate(lastOpenedAt) }),
  };
}

/** State of a link. Only an active one opens its report. */
export function stateOf(
  { revokedAt, endsAt }: Pick<ReportLinkDocument, "revokedAt" | "endsAt">,
  now: Date,
): "active" | "expired" | "revoked" {
  if (revokedAt) return "revoked";
  return endsAt <= now ? "expired" : "active";
}

/** @param form stored format; undefined: a report of a schedule or of an earlier release */
function formatOf(form = "json") {
  const [format = "json", paper] = form.split("-");
  return { format, ...withoutUndefined({ paper }) };
}
