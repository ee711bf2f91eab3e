import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  type GenerateReportRequest,
  GenerateReportResponseSchema,
} from "../../../gen/hermod/intel/v1/intel_service_pb.ts";
import { INTEL_RETENTION_MS } from "../../intel/retention.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { newId } from "../../shared/ids.ts";
import { createLru } from "../../shared/lru.ts";
import { utcDay } from "../../shared/utc-day.ts";
import type { IntelReportDocument } from "../../store/intel-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { readKeyed } from "./keyed-request.ts";
import { createMakeReport, storedFormat } from "./make-report.ts";
import type { OpenWorkspace } from "./open-workspace.ts";
import { type ReportFormat, type ReportWish, readReportRequest } from "./read-report-request.ts";
import { findReportScope } from "./report-inputs.ts";

type Needs = Pick<Dependencies, "store" | "intel" | "retention" | "clock" | "log">;
type Answer = MessageInitShape<typeof GenerateReportResponseSchema>;

const MEDIA_TYPES: Readonly<Record<ReportFormat, string>> = {
  json: "application/json; charset=utf-8",
  html: "text/html; charset=utf-8",
  pdf: "application/pdf",
};
/** Reports of one key within a minute: each reads all that is known of its domains. */
const PER_MINUTE = 6;
const MINUTE_MS = 60_000;
const MAX_KEYS = 10_000;

/**
 * Makes a report:
 *
 * 1. the key is authenticated, and the request read
 * 2. a repeated request is answered as the first one was
 * 3. all that it is made from is gathered
 * 4. it is made, and written in the form that is asked for, in a thread
 * 5. it is stored in both forms, and the answer with it
 */
export function createGenerateReport(needs: Needs, open: OpenWorkspace) {
  const { clock } = needs;
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
    const keyed = readKeyed<IntelReportDocument>(needs, {
      ...{ workspaceId: workspace._id, operation: "generateReport", key: request.idempotencyKey },
      // Without an end it is asked for as of now, whenever that is.
      asked: { ...others, ...(isOpenEnded ? { from: request.from?.seconds?.toString() } : { period }) },
      answerOf: (report) =>
        toBinary(GenerateReportResponseSchema, create(GenerateReportResponseSchema, headOf(report, wish))),
    });
    const replay = async (answer: Uint8Array): Promise<Answer> => {
      const { id, mediaType, fileName } = fromBinary(GenerateReportResponseSchema, answer);
      const content = await account.reports.read(id, storedFormat(wish));
      if (!content) throw fault("internal.error", { internal: `the report ${id} is not there any more` });
      return { id, mediaType, fileName, content, replayed: true, rateLimits };
    };
    const earlier = keyed && (await account.reports.findAnswer(keyed));
    if (earlier) return replay(earlier);

    const scope = await findReportScope(account, workspace, wish);
    pace.take(keyId);
    const report: IntelReportDocument = {
      ...{ _id: newId("rpt", now), accountId: account.id, workspaceId: workspace._id },
      scope: { type: wish.scope.type, id: scope.id, name: scope.name },
      ...{ period, generatedAt: now, expireAt: new Date(now.getTime() + INTEL_RETENTION_MS) },
    };
    const files = await makeReport(account, { id: report._id, wish, scope, generatedAt: now });
    const stored = await account.reports.add(report, files, audit, keyed);
    if (stored) return replay(stored.answer);
    const content = files.at(-1)?.bytes ?? new Uint8Array();
    return { ...headOf(report, wish), content, rateLimits };
  };
}

function headOf({ _id: id, period, scope }: IntelReportDocument, { format }: ReportWish) {
  const subject = scope.type === "domain" ? scope.name : scope.type;
  const fileName = `deliverability-${subject}-${utcDay(period.to)}.${format}`;
  return { id, mediaType: MEDIA_TYPES[format], fileName };
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
        const text = `A key makes ${PER_MINUTE} reports a minute at most: ask again in ${retryAfterSeconds} seconds. Nothing was made.`;
        throw fault("rate.limited", { public: text, retryAfterSeconds });
      }
      begun.set(keyId, [...lately, nowMs]);
    },
  };
}
