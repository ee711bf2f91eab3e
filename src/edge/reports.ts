import { initServer } from "@ts-rest/fastify";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { reportLink } from "../../contracts/reports.ts";
import type { CoreClient } from "../rpc/client.ts";
import { contentDisposition } from "../shared/content-disposition.ts";
import { fault } from "../shared/fault.ts";
import { type PagesOfFaults, showPages } from "./form-pages.ts";
import { isPrefetch } from "./prefetch.ts";
import type { HeaderSink } from "./problem-reply.ts";
import { busyReportPage, invalidReportLinkPage, pendingReportPage, reportPage } from "./report-pages.ts";

export interface ReportLinksOptions {
  readonly core: Pick<CoreClient, "reports">;
  /** Checks answers against the contract: for tests. */
  readonly validateResponses: boolean;
}

/**
 * Policy of a shared report: a separate origin, no scripts, no forms, no requests. The report's own policy, which is part
 * of it, applies as well.
 */
const REPORT_CSP = [
  "sandbox allow-downloads",
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
const FILE_CSP = "sandbox; default-src 'none'; frame-ancestors 'none'";
const RETRY_SECONDS = "2";

const pageOfFault: PagesOfFaults = {
  "report.link_invalid": invalidReportLinkPage,
  "report.unknown": invalidReportLinkPage,
  "report.not_ready": pendingReportPage,
  "report.over_limit": busyReportPage,
  "rate.limited": busyReportPage,
  "service.busy": busyReportPage,
  "core.unavailable": busyReportPage,
  "core.timeout": busyReportPage,
  "store.unavailable": busyReportPage,
  "store.full": busyReportPage,
};

/** Serves the links to reports. Faults that have no page are left to the server around it. */
export async function reportLinks(
  app: FastifyInstance,
  { core, validateResponses }: ReportLinksOptions,
): Promise<void> {
  showPages(app, pageOfFault);

  /** @throws Fault of the core, report.not_ready while the document is being created */
  async function open(token: string, format: "html" | "pdf", request: FastifyRequest, reply: HeaderSink) {
    const found = await core.reports.openReportLink({ token, format, counts: isOpening(request) });
    if (!found.pending) return found;
    reply.header("retry-after", RETRY_SECONDS);
    throw fault("report.not_ready");
  }

  const s = initServer();
  const routes = s.router(reportLink, {
    showReport: async ({ request, reply, params: { token } }) => {
      const { content } = await open(token, "html", request, reply);
      reply.header("content-security-policy", REPORT_CSP);
      const html = Buffer.from(content).toString();
      return { status: 200, body: reportPage(html, `/report/${token}/pdf`) };
    },
    downloadReport: async ({ request, reply, params: { token } }) => {
      const { content, fileName } = await open(token, "pdf", request, reply);
      reply.header("content-security-policy", FILE_CSP);
      reply.header("content-disposition", contentDisposition("attachment", fileName));
      return { status: 200, body: Buffer.from(content) };
    },
  });
  app.register(s.plugin(routes), {
    logInitialization: false,
    responseValidation: validateResponses,
    requestValidationErrorHandler: () => {
      throw fault("report.link_invalid");
    },
  });
}

/** HEAD returns the result of GET and is not counted, because no person saw anything. */
function isOpening({ method, headers }: FastifyRequest): boolean {
  return method === "GET" && !isPrefetch(headers);
}
