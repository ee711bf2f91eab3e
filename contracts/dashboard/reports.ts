import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { idempotencyHeaders } from "../common/idempotency-headers.ts";
import { reportRequest } from "../common/intel-report-request.ts";
import { octets } from "../common/mail-contents.ts";
import { changing, reading } from "../common/session-access.ts";
import { report, reportId, reportLink, reportSteps } from "../common/stored-report-schemas.ts";
import { optionalText, text } from "../common/text-field.ts";
import { page, pageQuery } from "./common.ts";
import { workspaceQuery } from "./workspaces.ts";

const c = initContract();

const pathParams = z.object({ report_id: reportId });
const linkParams = z.object({ link_id: text("Id of the link.", "rpl_01k9z4c3r8h2v6y0n5t7w1x3q9") });

export const reports = c.router({
  listReports: {
    method: "GET",
    path: "/api/intel/reports",
    summary: "List reports",
    description:
      "Lists the finished reports of one workspace, latest first: those of members, keys and schedules. Reports in progress are jobs of the kind `report.generate`. Hermod keeps reports for 400 days.",
    query: pageQuery.extend({
      ...workspaceQuery,
      scope_type: z
        .enum(["workspace", "client", "domain"])
        .optional()
        .meta({ description: "Selects reports about this kind of subject." }),
      scope_id: optionalText(
        "Selects reports about the workspace, client or domain with this id.",
        "cl_01k9z4c3r8h2v6y0n5t7w1x3q9",
      ),
      from: optionalText(
        "Selects reports requested at this time or later (RFC 3339).",
        "2030-01-01T00:00:00Z",
      ),
      until: optionalText("Selects reports requested before this time (RFC 3339).", "2030-02-01T00:00:00Z"),
    }),
    ...reading({
      access: "intel.read",
      faults: ["request.validation_failed", "workspace.unknown", "cursor.invalid"],
      success: { 200: page("ReportList", report) },
    }),
  },
  createReport: {
    method: "POST",
    path: "/api/intel/reports",
    summary: "Generate a report",
    description:
      "Generates a report about a workspace, a client or a domain. A report of up to 100 domains that is ready within five seconds answers 201. Every other report becomes a job and answers 202: poll the report until its `state` is `ready`. Without `branding`, the report uses the label of the client or of the workspace. A member can generate six reports per minute.",
    headers: idempotencyHeaders("report-2030-01", "generates no second report"),
    query: z.strictObject(workspaceQuery),
    body: reportRequest,
    ...changing({
      access: "intel.write",
      faults: [
        "workspace.unknown",
        "client.unknown",
        "watched_domain.unknown",
        "report.empty",
        "report.too_large",
        "report.over_limit",
        "report.failed",
        "report.unknown",
        "job.too_many",
        "rate.limited",
        "idempotency.key_reused",
      ],
      success: { 201: report, 202: report },
    }),
  },
  getReport: {
    method: "GET",
    path: "/api/intel/reports/:report_id",
    pathParams,
    summary: "Get a report",
    description: "Returns the facts about a report, or the state of its job. Jobs are kept for 30 days.",
    ...reading({ access: "intel.read", faults: ["report.unknown"], success: { 200: report } }),
  },
  getReportDocument: {
    method: "GET",
    path: "/api/intel/reports/:report_id/document",
    pathParams,
    summary: "Open or download a report",
    description:
      "Returns a report in one format. HTML is a document for a frame of the dashboard: a content security policy isolates it as a separate origin, and it cannot run scripts or load resources. PDF and JSON are attachments. Hermod creates a format that is not stored yet from the stored report, with its label, and keeps it. If that takes longer than five seconds, the response is 202: repeat the request after two seconds.",
    query: z.strictObject({
      format: z.enum(["html", "pdf", "json"]).optional().meta({ description: "Format. Default: `html`." }),
      paper: z
        .enum(["a4", "letter"])
        .optional()
        .meta({ description: "Paper size of a PDF. Default: that of the report, or `a4`." }),
    }),
    ...reading({
      access: "intel.read",
      faults: [
        "request.validation_failed",
        "request.cross_site",
        "report.unknown",
        "report.not_ready",
        "report.over_limit",
      ],
      success: {
        200: octets("text/html; charset=utf-8", "HTML page without external resources."),
        202: z
          .object({
            state: text("`running`.", "running"),
            progress: reportSteps,
          })
          .meta({ id: "PendingReportDocument", description: "The document is not ready." }),
      },
      documents: {
        "application/pdf": "With `format=pdf`.",
        "application/json; charset=utf-8": "With `format=json`.",
      },
    }),
  },
  deleteReport: {
    method: "DELETE",
    path: "/api/intel/reports/:report_id",
    pathParams,
    summary: "Remove a report",
    description:
      "Removes a report with its documents and links at once. A report in progress cannot be removed: cancel its job. Messages that contain the report stay. A scheduled report that is removed before it is mailed fails with `report.unknown`.",
    body: c.noBody(),
    ...changing({
      access: "intel.write",
      faults: ["report.unknown", "report.not_ready", "auth.reauthentication_required"],
      success: { 204: c.noBody() },
    }),
  },
  createReportLink: {
    method: "POST",
    path: "/api/intel/reports/:report_id/links",
    pathParams,
    summary: "Create a link to a report",
    description:
      "Creates a link that opens a report without a session, for a client. It shows the HTML and offers the PDF, and nothing else of the account. The token is only in this response. The link ends with the report at the latest. A report can have 100 links.",
    body: z
      .strictObject({
        expires_in_days: z
          .int()
          .min(1)
          .max(90)
          .optional()
          .meta({ description: "Days until the link expires: 1 to 90. Default: 30." }),
        note: z
          .string()
          .optional()
          .meta({
            description: "Note for members: up to 200 characters. Readers of the report do not see it.",
            examples: ["For the board"],
          }),
      })
      .meta({ id: "NewReportLink", description: "A link to create." }),
    ...changing({
      access: "intel.write",
      faults: ["report.unknown", "report.too_many_links"],
      success: {
        201: reportLink
          .extend({
            token: z.string().meta({
              description: "Token of the link, which is only in this response.",
              format: "password",
            }),
            url: z.string().meta({
              description: "URL of the link. Empty if `HERMOD_BASE_URL` is not set.",
              examples: ["https://mail.example.com/report/dGhpcyBpcyBubyB0b2tlbg"],
            }),
          })
          .meta({ id: "CreatedReportLink", description: "The link with its token." }),
      },
    }),
  },
  listReportLinks: {
    method: "GET",
    path: "/api/intel/report-links",
    summary: "List links to reports",
    description:
      "Lists the links to one report, or to all reports of a workspace, latest first, with the number and times of their openings. Expired and revoked links stay in the list as long as the report.",
    query: pageQuery.extend({
      ...workspaceQuery,
      report_id: optionalText("Selects links to this report.", "rpt_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    }),
    ...reading({
      access: "intel.read",
      faults: ["request.validation_failed", "workspace.unknown", "report.unknown", "cursor.invalid"],
      success: { 200: page("ReportLinkList", reportLink) },
    }),
  },
  revokeReportLink: {
    method: "DELETE",
    path: "/api/intel/report-links/:link_id",
    pathParams: linkParams,
    summary: "Revoke a link to a report",
    description: "Ends a link at once. A link that was revoked stays as it is.",
    body: c.noBody(),
    ...changing({
      access: "intel.write",
      faults: ["report_link.unknown"],
      success: { 200: reportLink },
    }),
  },
});
