import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GenerateReportRequest,
  GenerateReportResponseSchema,
} from "../../../gen/hermod/intel/v1/intel_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Dependencies } from "../dependencies.ts";
import type { OpenWorkspace } from "./open-workspace.ts";
import { createRequestReport } from "./request-report.ts";

type Needs = Pick<Dependencies, "store" | "intel" | "retention" | "clock" | "log">;

/** Generates a report for the holder of a key. @throws Fault auth.*, and the faults of `createRequestReport` */
export function createGenerateReport(needs: Needs, open: OpenWorkspace) {
  const requestReport = createRequestReport(needs);
  return async (
    request: GenerateReportRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof GenerateReportResponseSchema>> => {
    const opened = await open(request.holder, context, "intel.write");
    const { account, workspace, keyId, rateLimits, audit } = opened;
    const caller = { account, workspace, paced: { id: keyId, kind: "key" }, audit } as const;
    return { ...(await requestReport(request, caller)), rateLimits };
  };
}
