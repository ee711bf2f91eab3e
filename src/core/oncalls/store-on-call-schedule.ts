import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  OnCallScheduleSchema,
  OnCallScheduleSettings,
} from "../../../gen/hermod/oncall/v1/oncall_service_pb.ts";
import type { OnCallSettings } from "../../alerts/on-call/on-call-schedule.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { OnCallScheduleDocument } from "../../store/oncall-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { toOnCallSchedule } from "./on-call-to-proto.ts";
import { userIdsOf } from "./present-recipients.ts";
import { readOnCallSchedule } from "./read-on-call-schedule.ts";

export type OncallNeeds = Pick<Dependencies, "store" | "clock">;

interface Storing extends Pick<HandlerContext, "audit"> {
  /** Empty: any revision. */
  readonly ifRevision: string;
  /** Number of the version with these settings. Missing: none. */
  readonly restores?: number;
}

/**
 * Checks and stores a schedule.
 * @throws Fault request.validation_failed, on_call_schedule.too_many, on_call_schedule.unknown, resource.stale
 */
export async function storeOnCallSchedule(
  { oncalls }: Pick<AccountStore, "oncalls">,
  given: OnCallScheduleSettings | undefined,
  { audit, ifRevision, restores }: Storing,
): Promise<{ readonly schedule: MessageInitShape<typeof OnCallScheduleSchema>; readonly isNew: boolean }> {
  const settings = settingsOf(given);
  const options = { ifRevision, ...(restores !== undefined && { restores }) };
  const check = (strangers: ReadonlySet<string>) => checkMembers(settings, strangers);
  const { schedule, isNew } = await oncalls.put(settings, audit, check, options);
  const addresses = await oncalls.addresses(userIdsOf([schedule], []));
  return { schedule: toOnCallSchedule(schedule, addresses), isNew };
}

function settingsOf(given: OnCallScheduleSettings | undefined): OnCallSettings {
  if (!given)
    throw validationFault([{ pointer: "/settings", code: "field.required", message: say("needed") }]);
  const faults = createFieldFaults();
  const read = readOnCallSchedule(given, faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  return read;
}

/** @throws Fault request.validation_failed with each participant that is not a member */
function checkMembers({ layers }: OnCallSettings, strangers: ReadonlySet<string>): void {
  const faults = createFieldFaults();
  for (const [layer, { participants }] of layers.entries())
    for (const [index, { userId }] of participants.entries())
      if (userId !== undefined && strangers.has(userId))
        faults.add(
          `/layers/${layer}/participants/${index}/user_id`,
          "member.unknown",
          say("no_member", { user: userId }),
        );
  if (faults.found.length > 0) throw validationFault(faults.found);
}

/** @throws Fault on_call_schedule.unknown */
export async function findOnCallSchedule(
  { oncalls }: Pick<AccountStore, "oncalls">,
  name: string,
): Promise<OnCallScheduleDocument> {
  const found = await oncalls.find(name);
  if (!found) throw fault("on_call_schedule.unknown");
  return found;
}
