import { CounterService } from "../../../gen/hermod/counter/v1/counter_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { LOOKS } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import { type CountMessagesNeeds, createCountMessages } from "./count-messages.ts";

/** What happened to messages over time. */
export const counters = defineArea({
  service: CounterService,
  callers: { countMessages: permitted("messages.read") },
  audits: { countMessages: LOOKS },
  handlers: (needs: CountMessagesNeeds) => ({ countMessages: createCountMessages(needs) }),
});
