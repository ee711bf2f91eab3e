import { EventService } from "../../../gen/hermod/event/v1/event_service_pb.ts";
import { createComposePayloads } from "../../events/compose-payloads.ts";
import { defineArea } from "../../rpc/area.ts";
import { LOOKS } from "../../rpc/audits.ts";
import { OPERATOR_ONLY } from "../../rpc/callers.ts";
import type { Dependencies } from "../dependencies.ts";
import { createListEvents } from "./list-events.ts";
import { createReadEvents } from "./read-events.ts";
import { createWatchEvents } from "./watch-events.ts";

/** What has happened, for services of the operator's that act on it. */
export const events = defineArea({
  service: EventService,
  callers: { watchEvents: OPERATOR_ONLY, listEvents: OPERATOR_ONLY },
  audits: { watchEvents: LOOKS, listEvents: LOOKS },
  handlers: ({ store, followers, clock }: Pick<Dependencies, "store" | "followers" | "clock">) => {
    const { eventLog, ...others } = store.acrossAccounts;
    const read = createReadEvents({ eventLog, composePayloads: createComposePayloads(others) });
    return {
      watchEvents: createWatchEvents({ events: read, followers, clock }),
      listEvents: createListEvents(read),
    };
  },
});
