import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  SwapOnCallShiftsRequest,
  SwapOnCallShiftsResponseSchema,
} from "../../../gen/hermod/oncall/v1/oncall_service_pb.ts";
import type { OnCallShift } from "../../alerts/on-call/find-shifts.ts";
import { type Participant, participantKey } from "../../alerts/on-call/on-call-schedule.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { onCallRevision } from "../../store/oncall-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import { createFieldFaults, type FieldFaults } from "../field-faults.ts";
import { resolveAccount } from "../resolve-account.ts";
import { readComment, readTimes } from "./on-call-overrides.ts";
import { shiftsOf } from "./on-call-shifts.ts";
import { toOverride } from "./on-call-to-proto.ts";
import { userIdsOf } from "./present-recipients.ts";
import { readParticipant } from "./read-on-call-schedule.ts";
import { findOnCallSchedule, type OncallNeeds } from "./store-on-call-schedule.ts";

/** An attempt fails if another client changes the schedule or its overrides before it ends. */
const MAX_ATTEMPTS = 5;

/** Time of a swap, with the participant who is on call then. */
interface SwappedTime {
  readonly from: Date;
  readonly until: Date;
  /** Undefined: any. */
  readonly expected: Participant | undefined;
}

/**
 * Adds one override for each of two shifts, with the participant of the other one.
 * @throws Fault account.unknown, on_call_schedule.unknown, request.validation_failed, on_call_override.too_many,
 *   resource.stale
 */
export function createSwapOnCallShifts({ store, clock }: OncallNeeds) {
  return async (
    request: SwapOnCallShiftsRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof SwapOnCallShiftsResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const now = clock.now();
    const { first, second, comment } = readSwap(request, now);
    for (let attempt = 1; ; attempt++) {
      const schedule = await findOnCallSchedule(account, request.name);
      const [one, other] = await participantsOf(account, schedule, { first, second });
      const overrides = await account.oncalls.addOverrides(
        schedule._id,
        [
          { participant: other, from: first.from, until: first.until, comment },
          { participant: one, from: second.from, until: second.until, comment },
        ],
        audit,
        schedule.edits,
      );
      if (overrides) {
        const addresses = await account.oncalls.addresses(userIdsOf([], overrides));
        return { overrides: overrides.map((stored) => toOverride(stored, addresses, now)) };
      }
      if (attempt === MAX_ATTEMPTS) throw fault("resource.stale", { revision: onCallRevision(schedule) });
    }
  };
}

/** @throws Fault request.validation_failed */
function readSwap({ first, second, comment: text }: SwapOnCallShiftsRequest, now: Date) {
  const faults = createFieldFaults();
  const read = (at: string, given: typeof first): SwappedTime => ({
    ...readTimes(given ?? {}, { at, now, faults }),
    expected: given?.participant && readParticipant(given.participant, `${at}/participant`, faults),
  });
  const swap = {
    first: read("/first", first),
    second: read("/second", second),
    comment: readComment(text, faults),
  };
  if (swap.first.from < swap.second.until && swap.second.from < swap.first.until)
    faults.add("/second", "field.invalid", say("on_call_swap_overlap"));
  if (faults.found.length > 0) throw validationFault(faults.found);
  return swap;
}

/** Participants of two times. @throws Fault request.validation_failed unless each time has one, and they differ */
async function participantsOf(
  account: Pick<AccountStore, "oncalls">,
  schedule: Parameters<typeof shiftsOf>[1],
  { first, second }: { readonly first: SwappedTime; readonly second: SwappedTime },
): Promise<readonly [Participant, Participant]> {
  const faults = createFieldFaults();
  const one = only((await shiftsOf(account, schedule, first)).shifts, first, "/first", faults);
  const other = only((await shiftsOf(account, schedule, second)).shifts, second, "/second", faults);
  if (one && other && participantKey(one) === participantKey(other))
    faults.add("/second", "field.invalid", say("on_call_swap_same"));
  if (faults.found.length > 0 || !one || !other) throw validationFault(faults.found);
  return [one, other];
}

/** Participant of all shifts; undefined: there are several or none, or another one is expected. */
function only(
  shifts: readonly OnCallShift[],
  { expected }: SwappedTime,
  at: string,
  faults: FieldFaults,
): Participant | undefined {
  const [participant] = shifts.flatMap((shift) => shift.participant ?? []);
  const isOf = (one: Participant | undefined, key: string) =>
    one !== undefined && participantKey(one) === key;
  if (!participant || !shifts.every((shift) => isOf(shift.participant, participantKey(participant)))) {
    faults.add(at, "field.invalid", say("on_call_swap_several"));
    return undefined;
  }
  if (expected && participantKey(expected) !== participantKey(participant)) {
    faults.add(`${at}/participant`, "field.invalid", say("on_call_swap_other"));
    return undefined;
  }
  return participant;
}
