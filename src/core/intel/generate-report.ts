import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  type GenerateReportRequest,
  GenerateReportResponseSchema,
} from "../../../gen/hermod/intel/v1/intel_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { Fault, fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { newId } from "../../shared/ids.ts";
import { INTEL_RETENTION_MS } from "../../shared/intel-retention.ts";
import { createLru } from "../../shared/lru.ts";
import { LATE, unlessLate } from "../../shared/unless-late.ts";
import type { IntelReportDocument } from "../../store/intel-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { beginJob } from "../jobs/begin-job.ts";
import { findReport, headOf, progressOf } from "./find-report.ts";
import { readKeyed } from "./keyed-request.ts";
import { createMakeReport, storedFormat } from "./make-report.ts";
import type { OpenWorkspace } from "./open-workspace.ts";
import { readReportRequest } from "./read-report-request.ts";
import { findReportScope } from "./report-inputs.ts";
import { reportJob } from "./report-job.ts";

type Needs = Pick<Dependencies, "store" | "intel" | "retention" | "clock" | "log">;
type Answer = MessageInitShape<typeof GenerateReportResponseSchema>;

/** Maximum number of reports per key and minute: each reads all data of its domains. */
const PER_MINUTE = 6;
const MINUTE_MS = 60_000;
const MAX_KEYS = 10_000;

/**
 * Generates a report:
 *
 * 1. authenticates the key, and reads the request
 * 2. answers a repeated request in the same way as the first
 * 3. generates and stores a small report with the answer
 * 4. starts a job for a large report, and for one that takes longer than a client waits
 */
export function createGenerateReport(needs: Needs, open: OpenWorkspace) {
  const { intel, clock } = needs;
  const makeReport = createMakeReport(needs);
  const pace = createPace(clock);

  return async (request: GenerateReportRequest, context: HandlerContext): Promise<Answer> => {
    const { account, workspace, keyId, rateLimits, audit } = await open(
      request.holder,
      context,
      "intel.write",
    );
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
    const begin = async (reportId: string): Promise<Answer> => {
      const job = await beginJob(account, reportJob({ reportId, workspaceId, wish }), { audit });
      return { ...progressOf(job, wish), rateLimits };
    };
    const replay = async (answer: Uint8Array): Promise<Answer> => {
      const { id } = fromBinary(GenerateReportResponseSchema, answer);
      // Without a job, the process ended after storing the answer and before starting the job.
      const found = (await findReport(account, workspaceId, id, storedFormat(wish))) ?? (await begin(id));
      return { ...found, replayed: true, rateLimits };
    };
    const earlier = keyed && (await account.reports.findAnswer(keyed));
    if (earlier) return replay(earlier);

    const scope = await findReportScope(account, workspace, wish);
    pace.take(keyId);
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
    return { ...headOf(report), content: files.at(-1)?.bytes ?? new Uint8Array(), rateLimits };
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

/** Limits the reports of a key per minute, for as many keys as can exist. */
function createPace(clock: Needs["clock"]) {
  const begun = createLru<number[]>(MAX_KEYS);
  return {
    /** @throws Fault rate.limited */
    take(keyId: string): void {
      const nowMs = clock.monotonicMs();
      const lately = (begun.get(keyId) ?? []).filter((atMs) => nowMs - atMs < MINUTE_MS);
      const [first = nowMs] = lately;
      if (lately.length >= PER_MINUTE) {
        const retryAfterSeconds = Math.ceil((first + MINUTE_MS - nowMs) / 1_000);
        const text = say("key_makes_reports_minute_most_ask", {
          max: PER_MINUTE,
          seconds: retryAfterSeconds,
        });
        throw fault("rate.limited", { public: text, retryAfterSeconds });
      }
      begun.set(keyId, [...lately, nowMs]);
    },
  };
}
