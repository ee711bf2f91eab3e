import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { z } from "zod";
import type { policyHold, policyQueue } from "../../../contracts/common/policy-queue.ts";
import {
  type GetPolicyQueueResponse,
  PolicyHoldSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { bodyOf } from "./call.ts";

/** The queue of a policy as the dashboard shows it: counts are numbers, which JSON of the core's messages is not. */
export function policyQueueBody(found: GetPolicyQueueResponse): z.output<typeof policyQueue> {
  const at = (time: GetPolicyQueueResponse["oldestAt"]) => (time ? timestampDate(time).toISOString() : "");
  const { waiting, scheduled, oldestAt, destinations, otherWaiting, isPartial, held, deleted } = found;
  return {
    waiting: Number(waiting),
    scheduled: Number(scheduled),
    oldest_at: oldestAt ? at(oldestAt) : null,
    destinations: destinations.map((one) => ({
      domain: one.domain,
      waiting: Number(one.waiting),
      oldest_at: at(one.oldestAt),
      held: one.held,
    })),
    other_waiting: Number(otherWaiting),
    is_partial: isPartial,
    held,
    holds: found.holds.map((hold) => bodyOf<z.output<typeof policyHold>>(PolicyHoldSchema, hold)),
    deleted,
  };
}
