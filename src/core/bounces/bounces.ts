import { BounceService } from "../../../gen/hermod/bounce/v1/bounce_service_pb.ts";
import { prepareArea } from "../../rpc/area.ts";
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

/** Returned mail: bounces, complaints, and mail to the role addresses of the bounce domain. */
export const bounces = prepareArea(BounceService, partsOf, {
  checkReturnPath: [
    FRONT_ENDS,
    MAIL,
    (parts) =>
      createCheckReturnPath({
        ...parts,
        readsRoles: parts.postmasterAddress !== undefined,
      }),
  ],
  reportBounce: [FRONT_ENDS, changes("suppression.report"), createReportBounce],
  reportNotices: [
    FRONT_ENDS,
    changes("suppression.report"),
    (parts) =>
      createReportNotices({
        ...parts,
        leavePolicy: createLeavePolicy(parts),
        recordHits: createHitRecorder({ ...parts.tracking, ...parts }),
      }),
  ],
  reportAggregates: [FRONT_ENDS, MAIL, (parts) => createReportAggregates(parts, parts.findReported)],
  forwardMail: [FRONT_ENDS, MAIL, (parts) => createForwardMail({ ...parts, maxHops: parts.limits.hops })],
});

function partsOf(needs: Needs) {
  const { bounceDomain, postmasterAddress } = needs.returnAddresses;
  const { suppressionMs, messageMs: retentionMs, contentMs: contentRetentionMs } = needs.retention;
  const applyReport = createApplyReport({ ...needs, retentionMs, suppressionMs });
  const findReported = createFindReported(needs);
  const all = { ...needs, bounceDomain, postmasterAddress, retentionMs, contentRetentionMs };
  return { ...all, applyReport, findReported };
}
