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

/** Reports of one key within a minute: each reads all that is known of its domains. */
const PER_MINUTE = 6;
const MINUTE_MS = 60_000;
const MAX_KEYS = 10_000;

/**
 * Makes a report:
 *
 * 1. the key is authenticated, and the request read
 * 2. a repeated request is answered as the first one was
 * 3. a small report is made and stored at once, with the answer
 * 4. a large one, and one that takes longer than a client waits, becomes a job
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
      // Without an end it is asked for as of now, whenever that is.
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
      // Without a job, the process ended between keeping the answer and beginning it.
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
 * Resolves to the result if it is made in time; undefined: it takes longer, or too many others wait.
 * @throws what making it throws
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

/** Reports that a key may still ask for: of each key those of the last minute, of as many keys as there may be at once. */
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
