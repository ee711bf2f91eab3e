import { TrackingService } from "../../../gen/hermod/tracking/v1/tracking_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { MAIL, unaudited } from "../../rpc/audits.ts";
import { FRONT_ENDS } from "../../rpc/callers.ts";
import type { Dependencies } from "../dependencies.ts";
import { createRecordHits } from "./record-hits.ts";

type TrackingNeeds = Pick<Dependencies, "store" | "clock" | "retention" | "tracking">;

/** Records opens and clicks of tracked messages. */
export const tracking: Area<TrackingNeeds> = defineArea(TrackingService, {
  getTokenKey: [
    FRONT_ENDS,
    unaudited("every front end calls it at its start"),
    ({ tracking: settings }) =>
      async () => ({ key: settings.key }),
  ],
  recordHits: [
    FRONT_ENDS,
    MAIL,
    ({ store, clock, retention, tracking: settings }) =>
      createRecordHits({ store, clock, retentionMs: retention.messageMs, ...settings }),
  ],
});
