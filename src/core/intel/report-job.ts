import type { JobKindName } from "../../../contracts/common/job-kinds.ts";
import { Fault, fault } from "../../shared/fault.ts";
import { newId } from "../../shared/ids.ts";
import { INTEL_RETENTION_MS } from "../../shared/intel-retention.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { JobDocument } from "../../store/job-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import type { WantedJob } from "../jobs/begin-job.ts";
import { type JobKind, type JobStep, jobKind, jobParams, type RunningJob } from "../jobs/job-kind.ts";
import { createMakeReport, LOGO_FILE, sourceFiles, storedFormat } from "./make-report.ts";
import type { ReportWish } from "./read-report-request.ts";
import { findReportScope } from "./report-inputs.ts";

const REPORT_JOB = "report.generate" satisfies JobKindName;

/** Parameters of the job of a report. */
export interface ReportParams {
  readonly reportId: string;
  readonly workspaceId: string;
  readonly wish: ReportWish;
}

/** `json`: the data is read, and the JSON is stored. `document`: the requested format is created from the JSON. */
type Position =
  | { readonly phase: "json" }
  | { readonly phase: "document"; readonly filesId: string; readonly generatedAt: Date };

/** Time limit for one format: a large report on a loaded machine takes long, and no client waits for it. */
const RENDER_MS = 180_000;
const BUSY_PAUSE_MS = 2_000;

const paramsOf = jobParams<ReportParams>;

export const reportJobId = (reportId: string) => reportId.replace(/^rpt_/, "job_");

/** Job of a report. Starting it several times results in one job. */
export function reportJob({ reportId, workspaceId, wish }: ReportParams): WantedJob {
  const { type, id } = wish.scope;
  return {
    id: reportJobId(reportId),
    kind: REPORT_JOB,
    params: { reportId, workspaceId, wish: withoutUndefined(wish) },
    about: {
      report_id: reportId,
      workspace_id: workspaceId,
      scope: type,
      ...(id !== "" && { scope_id: id }),
    },
    permission: "intel.write",
  };
}

/**
 * Parameters of a job that generates a report; undefined: the job is of another kind or workspace.
 * @param workspaceId undefined: any workspace of the account
 */
export function reportParams(job: JobDocument | null, workspaceId?: string): ReportParams | undefined {
  const params = job?.kind === REPORT_JOB ? paramsOf(job) : undefined;
  return workspaceId === undefined || params?.workspaceId === workspaceId ? params : undefined;
}

/** Number of steps of the job for this format. */
export const reportSteps = ({ format }: Pick<ReportWish, "format">) => (format === "json" ? 1 : 2);

/**
 * Jobs that generate a report. Each process runs one at a time, because the thread that writes reports has no more
 * capacity, and other jobs need the queues, too.
 */
export function createReportJob(needs: Pick<Dependencies, "store" | "intel" | "clock" | "log">): JobKind {
  const { store, clock } = needs;
  const makeReport = createMakeReport(needs);
  const limits = { timeoutMs: RENDER_MS };
  let isWorking = false;

  const expiry = (from: Date) => new Date(from.getTime() + INTEL_RETENTION_MS);

  async function addReport(
    job: RunningJob,
    account: AccountStore,
    position: Position & { phase: "document" },
  ) {
    const { reportId, workspaceId, wish } = paramsOf(job);
    const workspace = await workspaceOf(account, workspaceId);
    const scope = await findReportScope(account, workspace, wish);
    const { filesId, generatedAt } = position;
    const report = {
      _id: reportId,
      workspaceId,
      period: wish.period,
      generatedAt,
      expireAt: expiry(generatedAt),
      scope: { type: wish.scope.type, id: scope.id, name: scope.name },
      form: storedFormat(wish),
      filesId,
    };
    job.signal.throwIfAborted();
    await account.reports.add(report, [], job.audit);
    return { results: [{ item: reportId, outcome: "done" }], next: undefined } as const;
  }

  async function writeJson(job: RunningJob, account: AccountStore): Promise<JobStep<Position>> {
    const { reportId, workspaceId, wish } = paramsOf(job);
    const workspace = await workspaceOf(account, workspaceId);
    const scope = await findReportScope(account, workspace, wish);
    const generatedAt = clock.now();
    const asked = { id: reportId, wish, scope, generatedAt, signal: job.signal };
    const sources = await makeReport.sources(account, asked, limits);
    const filesId = newId("rpt", generatedAt);
    for (const file of sourceFiles(sources))
      await account.reports.writeFile(filesId, file, expiry(generatedAt));
    const next = { phase: "document", filesId, generatedAt } as const;
    if (wish.format === "json") return addReport(job, account, next);
    return { results: [{ item: `${reportId}.json`, outcome: "done" }], next };
  }

  async function writeDocument(
    job: RunningJob,
    account: AccountStore,
    position: Position & { phase: "document" },
  ): Promise<JobStep<Position>> {
    const { wish } = paramsOf(job);
    const [json, logo] = await Promise.all(
      ["json", LOGO_FILE].map((format) => account.reports.readFile(position.filesId, format)),
    );
    if (!json) throw fault("internal.error", { internal: "the JSON of a report no longer exists" });
    const document = await makeReport.document(wish, { json, logo }, limits);
    job.signal.throwIfAborted();
    await account.reports.writeFile(position.filesId, document, expiry(position.generatedAt));
    return addReport(job, account, position);
  }

  async function step(job: RunningJob, position: Position): Promise<JobStep<Position>> {
    const later = { results: [], next: position, pauseMs: BUSY_PAUSE_MS } as const;
    if (isWorking) return later;
    isWorking = true;
    try {
      const account = store.forAccount(job.accountId);
      return await (position.phase === "json"
        ? writeJson(job, account)
        : writeDocument(job, account, position));
    } catch (error) {
      if (Fault.from(error).code === "service.busy") return later;
      throw error;
    } finally {
      isWorking = false;
    }
  }

  return jobKind<Position>({
    kind: REPORT_JOB,
    prepare: async (job) => ({
      total: reportSteps(paramsOf(job).wish),
      place: { phase: "json" },
    }),
    step,
  });
}

/** @throws Fault workspace.unknown */
async function workspaceOf(account: AccountStore, id: string) {
  const workspace = await account.workspaces.find(id);
  if (!workspace) throw fault("workspace.unknown");
  return workspace;
}
