import { EventService } from "../../../gen/hermod/event/v1/event_service_pb.ts";
import { createComposePayloads } from "../../events/compose-payloads.ts";
import { prepareArea } from "../../rpc/area.ts";
import { READS } from "../../rpc/audits.ts";
import { OPERATOR_ONLY } from "../../rpc/callers.ts";
import type { Dependencies } from "../dependencies.ts";
import { createListEvents } from "./list-events.ts";
import { createReadEvents } from "./read-events.ts";
import { createWatchEvents } from "./watch-events.ts";

/** Event stream for services of the operator that react to events. */
export const events = prepareArea(EventService, partsOf, {
  watchEvents: [OPERATOR_ONLY, READS, createWatchEvents],
  listEvents: [OPERATOR_ONLY, READS, (parts) => createListEvents(parts.events)],
});

function partsOf({ store, followers, clock }: Pick<Dependencies, "store" | "followers" | "clock">) {
  const { eventLog, ...others } = store.acrossAccounts;
  const events = createReadEvents({ eventLog, composePayloads: createComposePayloads(others) });
  return { events, followers, clock };
}
