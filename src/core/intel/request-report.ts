import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { GenerateReportResponseSchema } from "../../../gen/hermod/intel/v1/intel_service_pb.ts";
import type { Audit } from "../../shared/audit.ts";
import type { Clock } from "../../shared/clock.ts";
import { Fault, fault } from "../../shared/fault.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import { newId } from "../../shared/ids.ts";
import { INTEL_RETENTION_MS } from "../../shared/intel-retention.ts";
import { createLru } from "../../shared/lru.ts";
import { LATE, unlessLate } from "../../shared/unless-late.ts";
import type { IntelReportDocument } from "../../store/intel-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { beginJob } from "../jobs/begin-job.ts";
import { type FoundReport, findReport, headOf, progressOf } from "./find-report.ts";
import { readKeyed } from "./keyed-request.ts";
import { createMakeReport, storedFormat } from "./make-report.ts";
import { type RequestedReport, readReportRequest } from "./read-report-request.ts";
import { findReportScope } from "./report-inputs.ts";
import { reportJob } from "./report-job.ts";

type Needs = Pick<Dependencies, "store" | "intel" | "retention" | "clock" | "log">;

/** Caller that requests a report. */
export interface ReportCaller {
  readonly account: AccountStore;
  readonly workspace: { readonly _id: string; readonly name: string };
  /** Key or user: each can generate a few reports per minute. */
  readonly paced: { readonly id: string; readonly kind: "key" | "member" };
  readonly audit: Audit;
}

export type RequestReport = (
  request: RequestedReport & { readonly idempotencyKey: string },
  caller: ReportCaller,
) => Promise<FoundReport & { readonly replayed?: boolean }>;

/** Maximum number of reports per key or member and minute: each reads all data of its domains. */
const PER_MINUTE = 6;
const MINUTE_MS = 60_000;
const MAX_CALLERS = 10_000;

/**
 * Generates a report:
 *
 * 1. reads the request
 * 2. answers a repeated request in the same way as the first
 * 3. generates and stores a small report with the answer
 * 4. starts a job for a large report, and for one that takes longer than a client waits
 *
 * @throws Fault request.*, idempotency.key_reused, rate.limited, client.unknown, watched_domain.unknown, report.*,
 *   job.too_many
 */
export function createRequestReport(needs: Needs): RequestReport {
  const { intel, clock } = needs;
  const makeReport = createMakeReport(needs);
  const pace = createPace(clock);

  return async (request, { account, workspace, paced, audit }) => {
    const now = clock.now();
    const wish = readReportRequest(request, now);
    const { isOpenEnded, period, ...others } = wish;
    const workspaceId = workspace._id;
    const keyed = readKeyed<IntelReportDocument>(needs, {
      workspaceId,
      operation: "generateReport",
      key: request.idempotencyKey,
      // Without an end, the period ends at the time of the request.
      asked: { ...others, ...(isOpenEnded ? { from: request.from?.seconds?.toString() } : { period }) },
      answerOf: (report) =>
        toBinary(GenerateReportResponseSchema, create(GenerateReportResponseSchema, headOf(report))),
    });
    const begin = async (reportId: string) => {
      const job = await beginJob(account, reportJob({ reportId, workspaceId, wish }), { audit });
      return progressOf(job, wish);
    };
    const replay = async (answer: Uint8Array) => {
      const { id } = fromBinary(GenerateReportResponseSchema, answer);
      // Without a job, the process ended after storing the answer and before starting the job.
      const found = (await findReport(account, workspaceId, id, storedFormat(wish))) ?? (await begin(id));
      return { ...found, replayed: true };
    };
    const earlier = keyed && (await account.reports.findAnswer(keyed));
    if (earlier) return replay(earlier);

    const scope = await findReportScope(account, workspace, wish);
    pace.take(paced);
    const report: IntelReportDocument = {
      _id: newId("rpt", now),
      accountId: account.id,
      workspaceId,
      form: storedFormat(wish),
      scope: { type: wish.scope.type, id: scope.id, name: scope.name },
      period,
      generatedAt: now,
      expireAt: new Date(now.getTime() + INTEL_RETENTION_MS),
    };
    const isSmall = scope.domains.length <= intel.promptReports.domains;
    const asked = { id: report._id, wish, scope, generatedAt: now };
    const files = isSmall
      ? await within(intel.promptReports.waitMs, (signal) => makeReport.all(account, { ...asked, signal }))
      : undefined;
    if (!files) {
      const reserved = keyed && (await account.reports.reserve(report, keyed));
      return reserved ? replay(reserved) : begin(report._id);
    }
    const stored = await account.reports.add(report, files, audit, keyed);
    if (stored) return replay(stored.answer);
    const file = files.find(({ format }) => format === report.form);
    return { ...headOf(report), content: file?.bytes ?? new Uint8Array() };
  };
}

/**
 * Resolves to the result if it is ready in time; undefined: it takes longer, or too many others wait.
 * @throws errors of `make`
 */
async function within<T>(waitMs: number, make: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const late = new AbortController();
  const making = make(late.signal).catch((error: unknown) => {
    if (late.signal.aborted || Fault.from(error).code === "service.busy") return undefined;
    throw error;
  });
  const result = await unlessLate(waitMs, making);
  if (result !== LATE) return result;
  late.abort();
  return undefined;
}

/** Limits the reports of a caller per minute, for as many callers as can exist. */
function createPace(clock: Clock) {
  const begun = createLru<number[]>(MAX_CALLERS);
  return {
    /** @throws Fault rate.limited */
    take({ id, kind }: ReportCaller["paced"]): void {
      const nowMs = clock.monotonicMs();
      const lately = (begun.get(id) ?? []).filter((atMs) => nowMs - atMs < MINUTE_MS);
      const [first = nowMs] = lately;
      if (lately.length >= PER_MINUTE) {
        const retryAfterSeconds = Math.ceil((first + MINUTE_MS - nowMs) / 1_000);
        throw fault("rate.limited", { public: refusal(kind, retryAfterSeconds), retryAfterSeconds });
      }
      begun.set(id, [...lately, nowMs]);
    },
  };
}

function refusal(kind: ReportCaller["paced"]["kind"], seconds: number): FaultText {
  const params = { max: PER_MINUTE, seconds };
  return kind === "key"
    ? say("key_makes_reports_minute_most_ask", params)
    : say("member_makes_reports_minute_most", params);
}
