import { BounceService } from "../../../gen/hermod/bounce/v1/bounce_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { changes, MAIL } from "../../rpc/audits.ts";
import { FRONT_ENDS } from "../../rpc/callers.ts";
import type { Dependencies } from "../dependencies.ts";
import { createLeavePolicy } from "../leave-policy.ts";
import { createHitRecorder } from "../tracking/hit-recorder.ts";
import { createApplyReport } from "./apply-report.ts";
import { createCheckReturnPath } from "./check-return-path.ts";
import { createForwardMail } from "./forward-mail.ts";
import { createFindReported, createReportAggregates } from "./report-aggregates.ts";
import { createReportBounce } from "./report-bounce.ts";
import { createReportNotices } from "./report-notices.ts";

type Needs = Pick<
  Dependencies,
  | "store"
  | "settings"
  | "intake"
  | "returnPaths"
  | "tracking"
  | "returnAddresses"
  | "storeNotices"
  | "limits"
  | "partitionOf"
  | "retention"
  | "clock"
  | "log"
  | "onReport"
  | "intel"
>;

/** Mail that comes back: bounces, complaints, and what is written to the roles of the bounce domain. */
export const bounces = defineArea({
  service: BounceService,
  callers: {
    checkReturnPath: FRONT_ENDS,
    reportBounce: FRONT_ENDS,
    reportNotices: FRONT_ENDS,
    reportAggregates: FRONT_ENDS,
    forwardMail: FRONT_ENDS,
  },
  audits: {
    checkReturnPath: MAIL,
    reportBounce: changes("suppression.report"),
    reportNotices: changes("suppression.report"),
    reportAggregates: MAIL,
    forwardMail: MAIL,
  },
  handlers: (needs: Needs) => {
    const { bounceDomain, postmasterAddress } = needs.returnAddresses;
    const { suppressionMs, messageMs: retentionMs, contentMs: contentRetentionMs } = needs.retention;
    const parts = { ...needs, bounceDomain, retentionMs };
    const applyReport = createApplyReport({ ...parts, suppressionMs });
    const findReported = createFindReported(needs);
    return {
      checkReturnPath: createCheckReturnPath({
        ...{ ...parts, findReported },
        readsRoles: postmasterAddress !== undefined,
      }),
      reportAggregates: createReportAggregates(needs, findReported),
      forwardMail: createForwardMail({
        ...parts,
        postmasterAddress,
        maxHops: needs.limits.hops,
        contentRetentionMs,
      }),
      reportBounce: createReportBounce({ ...parts, applyReport }),
      reportNotices: createReportNotices({
        ...parts,
        applyReport,
        leavePolicy: createLeavePolicy(parts),
        recordHits: createHitRecorder({ ...needs.tracking, ...parts }),
      }),
    };
  },
});
