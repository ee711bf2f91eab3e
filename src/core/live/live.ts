import { LiveService } from "../../../gen/hermod/live/v1/live_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { READS } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import { createAuthorize } from "../access/authorize.ts";
import type { Dependencies } from "../dependencies.ts";
import { createWatchEvents, WATCH_PERMISSION } from "./watch-events.ts";

/** Streams changes of messages. */
export const live: Area<Pick<Dependencies, "store" | "live" | "clock">> = defineArea(LiveService, {
  watchEvents: [
    permitted(WATCH_PERMISSION),
    READS,
    ({ store, live: hub, clock }) =>
      createWatchEvents({
        store,
        live: hub,
        authorize: createAuthorize({ store, clock, isUse: false }),
        clock,
      }),
  ],
});
