import { TrackingService } from "../../../gen/hermod/tracking/v1/tracking_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { MAIL, unaudited } from "../../rpc/audits.ts";
import { FRONT_ENDS } from "../../rpc/callers.ts";
import type { Dependencies } from "../dependencies.ts";
import { createRecordHits } from "./record-hits.ts";

type TrackingNeeds = Pick<Dependencies, "store" | "clock" | "retention" | "tracking">;

/** What the pixels and links of tracked messages lead to. */
export const tracking = defineArea({
  service: TrackingService,
  callers: { getTokenKey: FRONT_ENDS, recordHits: FRONT_ENDS },
  audits: {
    getTokenKey: unaudited("every front end asks for it when it starts"),
    recordHits: MAIL,
  },
  handlers: ({ store, clock, retention, tracking: settings }: TrackingNeeds) => ({
    getTokenKey: async () => ({ key: settings.key }),
    recordHits: createRecordHits({ store, clock, retentionMs: retention.messageMs, ...settings }),
  }),
});
