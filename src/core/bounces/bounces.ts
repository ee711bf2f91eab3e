import { BounceService } from "../../../gen/hermod/bounce/v1/bounce_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { changes, MAIL } from "../../rpc/audits.ts";
import { FRONT_ENDS } from "../../rpc/callers.ts";
import type { Dependencies } from "../dependencies.ts";
import { createCheckReturnPath } from "./check-return-path.ts";
import { createForwardMail } from "./forward-mail.ts";
import { createReportBounce } from "./report-bounce.ts";

type Needs = Pick<
  Dependencies,
  | "store"
  | "settings"
  | "intake"
  | "returnPaths"
  | "returnAddresses"
  | "storeNotices"
  | "limits"
  | "partitionOf"
  | "retention"
  | "clock"
  | "log"
  | "onReport"
>;

/** Mail that comes back: bounces, complaints, and what is written to the roles of the bounce domain. */
export const bounces = defineArea({
  service: BounceService,
  callers: { checkReturnPath: FRONT_ENDS, reportBounce: FRONT_ENDS, forwardMail: FRONT_ENDS },
  audits: {
    checkReturnPath: MAIL,
    reportBounce: changes("suppression.report"),
    forwardMail: MAIL,
  },
  handlers: ({ returnAddresses: { bounceDomain, postmasterAddress }, ...needs }: Needs) => ({
    checkReturnPath: createCheckReturnPath({
      returnPaths: needs.returnPaths,
      bounceDomain,
      readsRoles: postmasterAddress !== undefined,
    }),
    forwardMail: createForwardMail({
      ...needs,
      bounceDomain,
      postmasterAddress,
      maxHops: needs.limits.hops,
      contentRetentionMs: needs.retention.contentMs,
    }),
    reportBounce: createReportBounce({
      ...needs,
      bounceDomain,
      suppressionMs: needs.retention.suppressionMs,
      retentionMs: needs.retention.messageMs,
    }),
  }),
});
