import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type ReportFilter as AskedFilter,
  ReportService,
} from "../../../gen/hermod/report/v1/report_service_pb.ts";
import { prepareArea } from "../../rpc/area.ts";
import { changes, READS, unaudited } from "../../rpc/audits.ts";
import { FRONT_ENDS, permitted } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { isId } from "../../shared/ids.ts";
import type { ReportFilter } from "../../store/report-store.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { pageOf, pageSizeOf } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { headOf, MEDIA_TYPES } from "./find-report.ts";
import { type ReportFormat, type ReportWish, reportFormats } from "./read-report-request.ts";
import { createReportFiles } from "./report-files.ts";
import { reportJobId, reportParams } from "./report-job.ts";
import {
  createListReportLinks,
  createOpenReportLink,
  createReportLink,
  createRevokeReportLink,
} from "./report-links.ts";
import { toPendingReport, toReport } from "./report-to-proto.ts";
import { createRequestReport } from "./request-report.ts";
import { resolveWorkspace } from "./resolve-workspace.ts";

const READ = permitted("intel.read");
const WRITE = permitted("intel.write");
const SCOPE_TYPES = ["workspace", "client", "domain"] as const;
const PAPERS = ["a4", "letter"] as const;

type Needs = Pick<Dependencies, "store" | "intel" | "retention" | "installation" | "clock" | "log">;

/** Reports of Deliverability Intel for members, and links that open them. */
export const reports = prepareArea(ReportService, partsOf, {
  /** @throws Fault account.unknown, workspace.unknown, request.validation_failed, cursor.invalid */
  listReports: [
    READ,
    READS,
    ({ needs }) =>
      async (request, { audit }) => {
        const { account, workspaceId } = await resolveWorkspace(needs, request, audit);
        const { cursors } = needs.intel;
        const filter = readFilter(request.filter);
        const question = { list: "reports", workspaceId, filter };
        const limit = pageSizeOf(request.pageSize);
        const after = cursors.read(question, request.pageToken)?.id;
        const found = await account.reports.list(workspaceId, filter, { after, limit: limit + 1 });
        const { entries, nextPageToken } = pageOf(found, limit, ({ _id: id }) =>
          cursors.write(question, { rank: "", id }),
        );
        return { reports: entries.map(toReport), nextPageToken };
      },
  ],
  /** @throws Fault account.unknown, workspace.unknown, and the faults of `createRequestReport` */
  createReport: [
    WRITE,
    changes("report.generate"),
    ({ needs, requestReport }) =>
      async (request, { audit, principal }) => {
        const { account, workspaceId } = await resolveWorkspace(needs, request, audit);
        const workspace = await account.workspaces.find(workspaceId);
        if (!workspace) throw fault("workspace.unknown");
        const paced = { id: `${account.id} ${principal?.userId ?? "operator"}`, kind: "member" } as const;
        const { id, replayed = false } = await requestReport(request, { account, workspace, paced, audit });
        return { report: await describe(account, id), replayed };
      },
  ],
  /** @throws Fault account.unknown, report.unknown */
  getReport: [
    READ,
    READS,
    ({ needs }) =>
      async (request) => ({
        report: await describe(await resolveAccount(needs.store, request), request.id),
      }),
  ],
  /** @throws Fault account.unknown, request.validation_failed, report.unknown, report.not_ready, report.over_limit, service.busy */
  getReportFile: [
    READ,
    READS,
    ({ needs, files }) =>
      async (request) => {
        const account = await resolveAccount(needs.store, request);
        const { format, paper } = readFile(request);
        const report = await findReady(account, request.id);
        const own: ReportWish["paper"] = report.form === "pdf-letter" ? "letter" : "a4";
        const wanted = { format, paper: paper ?? own };
        const content = await files.find(account, report, wanted);
        const { fileName } = headOf({ ...report, form: format });
        const head = { mediaType: MEDIA_TYPES[format], fileName };
        if (content) return { ...head, content };
        return { ...head, progress: { state: "running", done: 0, total: 1 } };
      },
  ],
  /** @throws Fault account.unknown, report.unknown, report.not_ready */
  deleteReport: [
    WRITE,
    changes("report.delete", "id"),
    ({ needs }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(needs.store, request);
        const { _id } = await findReady(account, request.id);
        if (!(await account.reports.remove(_id, audit))) throw fault("report.unknown");
        return {};
      },
  ],
  createReportLink: [WRITE, changes("report.create_link", "id"), ({ needs }) => createReportLink(needs)],
  listReportLinks: [READ, READS, ({ needs }) => createListReportLinks(needs)],
  revokeReportLink: [
    WRITE,
    changes("report.revoke_link", "id"),
    ({ needs }) => createRevokeReportLink(needs),
  ],
  openReportLink: [
    FRONT_ENDS,
    unaudited("it returns only the report of the link, and the link counts it"),
    ({ needs, files }) => createOpenReportLink(needs, files),
  ],
});

function partsOf(needs: Needs) {
  return { needs, requestReport: createRequestReport(needs), files: createReportFiles(needs) };
}

/** @throws Fault report.unknown */
async function describe(account: AccountStore, id: string) {
  if (!isId("rpt", id)) throw fault("report.unknown");
  const job = await account.jobs.find(reportJobId(id));
  // Read after the job, so that a job that ends in between has its report.
  const report = await account.reports.find(id);
  if (report) return toReport(report);
  const params = reportParams(job);
  if (!job || !params || (await account.reports.wasRemoved(id))) throw fault("report.unknown");
  return toPendingReport(job, params);
}

/** @throws Fault report.unknown, report.not_ready */
async function findReady(account: AccountStore, id: string) {
  const job = isId("rpt", id) ? await account.jobs.find(reportJobId(id)) : null;
  const report = await account.reports.find(id);
  if (report) return report;
  const isOpen = reportParams(job) && (job?.state === "queued" || job?.state === "running");
  throw fault(isOpen ? "report.not_ready" : "report.unknown");
}

/** @throws Fault request.validation_failed */
function readFilter({
  scopeType = "",
  scopeId = "",
  from: begin,
  until: end,
}: Partial<AskedFilter> = {}): ReportFilter {
  const faults = createFieldFaults();
  const type = SCOPE_TYPES.find((one) => one === scopeType);
  if (scopeType !== "" && !type)
    faults.add("/filter/scope_type", "field.invalid", say("one_of", { allowed: SCOPE_TYPES }));
  const from = begin && timestampDate(begin);
  const until = end && timestampDate(end);
  if (from && until && from >= until) faults.add("/filter/until", "field.invalid", say("until_after_from"));
  if (faults.found.length > 0) throw validationFault(faults.found);
  return {
    ...(type && { scopeType: type }),
    ...(scopeId !== "" && { scopeId }),
    ...(from && { from }),
    ...(until && { until }),
  };
}

/** @throws Fault request.validation_failed */
function readFile({ format: asked, paper }: { readonly format: string; readonly paper: string }) {
  const faults = createFieldFaults();
  const format = reportFormats.find((one) => one === (asked || "html"));
  if (!format) faults.add("/format", "field.invalid", say("one_of", { allowed: reportFormats }));
  if (paper !== "" && !PAPERS.includes(paper as "a4"))
    faults.add("/paper", "field.invalid", say("a4_or_letter"));
  if (faults.found.length > 0) throw validationFault(faults.found);
  return { format: format as ReportFormat, paper: paper === "" ? undefined : (paper as "a4") };
}
