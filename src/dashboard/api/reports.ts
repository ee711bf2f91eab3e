import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { report, reportLink } from "../../../contracts/common/stored-report-schemas.ts";
import { reports } from "../../../contracts/dashboard/reports.ts";
import { call, clientOf, home } from "./client.ts";
import { listQuery } from "./pages.ts";
import { pollEvery } from "./polling.ts";

const client = clientOf(reports);

export type Report = z.output<typeof report>;
export type ReportLink = z.output<typeof reportLink>;
export type NewReport = Parameters<typeof client.createReport>[0]["body"];
export type ReportFormat = "html" | "pdf" | "json";

const POLL_MS = 2_000;

/** Filters of the list, as in the address. */
export interface ReportFilter {
  readonly workspace_id?: string | undefined;
  readonly scope_type?: string | undefined;
  readonly scope_id?: string | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}
export const reportFilterNames = [
  "workspace_id",
  "scope_type",
  "scope_id",
  "from",
  "until",
] as const satisfies readonly (keyof ReportFilter)[];

/** Finished reports of a workspace, latest first. */
export const reportsBy = (filter: ReportFilter) =>
  listQuery(["intel", "reports", filter], 50, ({ query, fetchOptions }) =>
    call(() => client.listReports({ query: { ...query, ...filter } as never, fetchOptions })),
  );

/** Whether a job creates the report. */
export const isInProgress = ({ state }: Pick<Report, "state">) => state === "queued" || state === "running";

/** The facts about a report. It is polled until its job has ended. */
export const reportQuery = (report_id: string) =>
  queryOptions({
    queryKey: ["intel", "report", report_id],
    queryFn: ({ signal }) =>
      call(() => client.getReport({ params: { report_id }, fetchOptions: { signal } })),
    refetchInterval: pollEvery<Report>((data) => (data && isInProgress(data) ? POLL_MS : false)),
  });

/** Address of a report in one format. */
export const reportAddress = (report_id: string, format: ReportFormat) =>
  `${home}/api/intel/reports/${encodeURIComponent(report_id)}/document?format=${format}`;

/** Requests a report in one format, which Hermod then keeps. @returns whether the address has it now */
async function prepare(report_id: string, format: ReportFormat, signal?: AbortSignal): Promise<boolean> {
  const fetchOptions = signal ? { signal } : {};
  const answer = await call(() =>
    client.getReportDocument({ params: { report_id }, query: { format }, fetchOptions }),
  );
  return typeof answer === "string";
}

/** Whether the report can be opened in place. It is polled until Hermod has created the page. */
export const reportPageQuery = (report_id: string) =>
  queryOptions({
    queryKey: ["intel", "report", report_id, "page"],
    queryFn: ({ signal }) => prepare(report_id, "html", signal),
    refetchInterval: pollEvery<boolean>((isReady) => (isReady === false ? POLL_MS : false)),
  });

/** Waits until Hermod has created a format, then has the browser save it. JSON is always there: Hermod stores a report as JSON. */
export async function saveReport(report_id: string, format: ReportFormat): Promise<void> {
  while (format !== "json" && !(await prepare(report_id, format)))
    await new Promise((done) => setTimeout(done, POLL_MS));
  const link = document.createElement("a");
  link.href = reportAddress(report_id, format);
  link.download = "";
  link.click();
}

/** @param idempotencyKey a repeated request with the same key creates no second report */
export const createReport = (body: NewReport, workspace_id: string | undefined, idempotencyKey: string) =>
  call(() =>
    client.createReport({
      body,
      query: workspace_id ? { workspace_id } : {},
      headers: { "idempotency-key": idempotencyKey },
    }),
  );

export const removeReport = (report_id: string) => call(() => client.deleteReport({ params: { report_id } }));

/** Links that open a report without a session, latest first. */
export const reportLinksQuery = (report_id: string) =>
  listQuery(["intel", "report", report_id, "links"], 50, ({ query, fetchOptions }) =>
    call(() => client.listReportLinks({ query: { ...query, report_id }, fetchOptions })),
  );

/** @returns the address of the link, which Hermod never shows again */
export async function createReportLink(report_id: string, expires_in_days: number, note: string) {
  const body = { expires_in_days, ...(note !== "" && { note }) };
  const { url, token } = await call(() => client.createReportLink({ params: { report_id }, body }));
  return url || `${home}/report/${token}`;
}

export const revokeReportLink = (link_id: string) =>
  call(() => client.revokeReportLink({ params: { link_id } }));
