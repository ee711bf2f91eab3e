import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CountWaitingRequest,
  CountWaitingResponseSchema,
} from "../../../gen/hermod/counter/v1/counter_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { Store } from "../../store/store.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createSlots } from "../slots.ts";
import { countQueue } from "./count-queue.ts";

const TOP = 20;
const MAX_TOP = 100;

interface CountWaitingNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** Counts waiting messages: the total exactly, and the destinations within two seconds. */
export function createCountWaiting({ store, clock }: CountWaitingNeeds) {
  const slots = createSlots({ of: "counts of the queue", ofAccount: 4, inAll: 20, retryAfterSeconds: 2 });

  return async (
    request: CountWaitingRequest,
    { signal }: Pick<HandlerContext, "signal">,
  ): Promise<MessageInitShape<typeof CountWaitingResponseSchema>> => {
    const { waiting, id } = await resolveAccount(store, request);
    const { top } = request;
    if (top > MAX_TOP) {
      const message = say("field_from_1", { field: "top", max: MAX_TOP });
      throw validationFault([{ pointer: "/top", code: "field.invalid", message }]);
    }
    const giveBack = slots.take(id);
    try {
      return await countQueue(waiting, { top: top || TOP, clock, signal });
    } finally {
      giveBack();
    }
  };
}
