import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { report, reportLink } from "../../../contracts/common/stored-report-schemas.ts";
import type { reports as contract } from "../../../contracts/dashboard/reports.ts";
import {
  type Report as Found,
  type ReportLink as FoundLink,
  type ReportFilter,
  ReportFilterSchema,
  ReportLinkSchema,
  ReportSchema,
} from "../../../gen/hermod/report/v1/report_service_pb.ts";
import { contentDisposition } from "../../shared/content-disposition.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { idempotencyKeyOf } from "../idempotency-key.ts";
import { nullBodyOf } from "../intel-body.ts";
import { askedByQuery, reportOrderOf } from "../intel-requests.ts";
import { createCoreFor, type DashboardParts, momentOf, pageBody, pageRequest } from "./call.ts";
import { fileOf } from "./file-download.ts";
import { checkPreviewOrigin, setFileHeaders, setPreviewHeaders } from "./html-preview.ts";

interface FilterQuery {
  readonly scope_type?: string | undefined;
  readonly scope_id?: string | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** Time after which a client asks again for a report that is not ready. */
const RETRY_SECONDS = "2";

/** Handlers of the routes of `dashboard.reports`. */
export function reports(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listReports: async ({ request, query }) => {
      const found = await askedByQuery(
        coreFor(request).reports.listReports({
          ...pageRequest(query),
          workspaceId: query.workspace_id ?? "",
          filter: filterOf(query),
        }),
      );
      return { status: 200, body: pageBody(found.reports.map(reportBody), found.nextPageToken) };
    },
    createReport: async ({ request, reply, query, body }) => {
      const created = await coreFor(request).reports.createReport({
        workspaceId: query.workspace_id ?? "",
        idempotencyKey: idempotencyKeyOf(request),
        ...reportOrderOf(body),
      });
      if (created.replayed) reply.header("idempotent-replayed", "true");
      const answer = reportBody(created.report);
      reply.header("location", `/api/intel/reports/${answer.id}`);
      if (answer.state === "ready") return { status: 201, body: answer };
      reply.header("retry-after", RETRY_SECONDS);
      return { status: 202, body: answer };
    },
    getReport: async ({ request, params }) => {
      const found = await coreFor(request).reports.getReport({ id: params.report_id });
      return { status: 200, body: reportBody(found.report) };
    },
    getReportDocument: async ({ request, reply, params, query }) => {
      checkPreviewOrigin(request);
      const { format = "html", paper = "" } = query;
      const file = await coreFor(request).reports.getReportFile({ id: params.report_id, format, paper });
      if (file.progress) {
        reply.header("retry-after", RETRY_SECONDS);
        const { state, done, total } = file.progress;
        return { status: 202, body: { state, progress: { done, total } } };
      }
      if (format === "html") setPreviewHeaders(reply);
      else setFileHeaders(reply, contentDisposition("attachment", file.fileName));
      return { status: 200, body: fileOf(file.mediaType, file.content) };
    },
    deleteReport: async ({ request, params }) => {
      await coreFor(request).reports.deleteReport({ id: params.report_id });
      return { status: 204, body: undefined };
    },
    createReportLink: async ({ request, params, body }) => {
      const { expires_in_days: expiresInDays, note = "" } = body;
      const asked = { id: params.report_id, note, ...withoutUndefined({ expiresInDays }) };
      const { link, token, url } = await coreFor(request).reports.createReportLink(asked);
      return { status: 201, body: { ...linkBody(link), token, url } };
    },
    listReportLinks: async ({ request, query }) => {
      const { workspace_id: workspaceId = "", report_id: reportId = "" } = query;
      const asked = { ...pageRequest(query), workspaceId, reportId };
      const found = await askedByQuery(coreFor(request).reports.listReportLinks(asked));
      return { status: 200, body: pageBody(found.links.map(linkBody), found.nextPageToken) };
    },
    revokeReportLink: async ({ request, params }) => {
      const revoked = await coreFor(request).reports.revokeReportLink({ id: params.link_id });
      return { status: 200, body: linkBody(revoked.link) };
    },
  };
}

/** @throws Fault request.validation_failed */
function filterOf({
  scope_type: scopeType = "",
  scope_id: scopeId = "",
  ...span
}: FilterQuery): ReportFilter {
  const from = momentOf(span.from, "/from");
  const until = momentOf(span.until, "/until");
  return create(ReportFilterSchema, {
    scopeType,
    scopeId,
    ...(from && { from: timestampFromDate(from) }),
    ...(until && { until: timestampFromDate(until) }),
  });
}

function reportBody(found: Found | undefined): z.output<typeof report> {
  return nullBodyOf(ReportSchema, found);
}

function linkBody(found: FoundLink | undefined): z.output<typeof reportLink> {
  return nullBodyOf(ReportLinkSchema, found);
}
