import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  GetReportRequest,
  GetReportResponseSchema,
} from "../../../gen/hermod/intel/v1/intel_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import { isId } from "../../shared/ids.ts";
import { utcDay } from "../../shared/utc-day.ts";
import type { IntelReportDocument } from "../../store/intel-documents.ts";
import type { JobDocument } from "../../store/job-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import type { OpenWorkspace } from "./open-workspace.ts";
import type { ReportFormat, ReportWish } from "./read-report-request.ts";
import { reportJobId, reportParams, reportSteps } from "./report-job.ts";

type Answer = MessageInitShape<typeof GetReportResponseSchema>;

/** A report with its content, or the progress of its job. */
export type FoundReport = Omit<
  Exclude<Answer, { readonly $typeName: string }>,
  "$typeName" | "$unknown" | "id" | "rateLimits"
> & { readonly id: string };

export const MEDIA_TYPES: Readonly<Record<ReportFormat, string>> = {
  json: "application/json; charset=utf-8",
  html: "text/html; charset=utf-8",
  pdf: "application/pdf",
};

/** @throws Fault auth.*, workspace.unknown, report.unknown, report.failed */
export function createGetReport(open: OpenWorkspace) {
  return async ({ holder, id }: GetReportRequest, context: HandlerContext): Promise<Answer> => {
    const { account, workspace, rateLimits } = await open(holder, context, "intel.read");
    const found = isId("rpt", id) ? await findReport(account, workspace._id, id) : undefined;
    if (!found) throw fault("report.unknown");
    return { ...found, rateLimits };
  };
}

/**
 * A report of a workspace, or the progress of its job; undefined: neither exists.
 * @param form format of a report that does not store it
 * @throws Fault report.failed, report.unknown if it was removed
 */
export async function findReport(
  account: AccountStore,
  workspaceId: string,
  id: string,
  form = "json",
): Promise<FoundReport | undefined> {
  const job = await account.jobs.find(reportJobId(id));
  // Read after the job, so that a job that ends in between has its report.
  const report = await account.reports.find(id);
  if (report?.workspaceId === workspaceId) {
    const whole = { ...report, form: report.form ?? form };
    const content = await account.reports.read(id, whole.form);
    if (!content) throw fault("internal.error", { internal: `the report ${id} no longer exists` });
    return { ...headOf(whole), content };
  }
  if (await account.reports.wasRemoved(id)) throw fault("report.unknown");
  const params = reportParams(job, workspaceId);
  if (!job || !params) return undefined;
  if (job.state === "queued" || job.state === "running") return progressOf(job, params.wish);
  throw fault("report.failed", { public: reasonOf(job) });
}

/** Reason why a job generated no report. */
function reasonOf({ state, failure }: JobDocument): FaultText {
  if (state === "cancelled") return say("report_cancelled");
  // The details of an internal fault are only logged.
  if (!failure) return say("report_not_made");
  return say("report_not_made_because", { code: failure.code, detail: failure.message });
}

export function headOf({ _id: id, period, scope, form = "json" }: Omit<IntelReportDocument, "accountId">) {
  const [format = "json"] = form.split("-") as ReportFormat[];
  const subject = scope.type === "domain" ? scope.name : scope.type;
  const fileName = `deliverability-${subject}-${utcDay(period.to)}.${format}`;
  return { id, mediaType: MEDIA_TYPES[format], fileName };
}

/** @param wish report that the job creates */
export function progressOf(job: JobDocument, wish: Pick<ReportWish, "format">): FoundReport {
  const { state, done, createdAt, params } = job;
  const progress = { state, done, total: reportSteps(wish), createdAt: timestampFromDate(createdAt) };
  return { id: String(params.reportId), progress };
}
