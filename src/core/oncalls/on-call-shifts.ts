import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  GetOnCallRequest,
  GetOnCallResponseSchema,
  ListOnCallShiftsRequest,
  ListOnCallShiftsResponseSchema,
} from "../../../gen/hermod/oncall/v1/oncall_service_pb.ts";
import type { OnCallShift } from "../../alerts/on-call/find-shifts.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { OnCallScheduleDocument } from "../../store/oncall-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import { createFieldFaults } from "../field-faults.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toShift } from "./on-call-to-proto.ts";
import { addressOf, presentShifts, type Range, userIdsOf } from "./present-recipients.ts";
import { isOnCallTime } from "./read-on-call-schedule.ts";
import { findOnCallSchedule, type OncallNeeds } from "./store-on-call-schedule.ts";

const DAY_MS = 86_400_000;
/** A quarter of a year: a calendar page shows less. */
const MAX_RANGE_DAYS = 93;
/** Range in which the end of the present shift is searched. */
const PRESENT_MS = 31 * DAY_MS;

/** @throws Fault account.unknown, on_call_schedule.unknown, request.validation_failed */
export function createGetOnCall({ store, clock }: OncallNeeds) {
  return async (request: GetOnCallRequest): Promise<MessageInitShape<typeof GetOnCallResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const schedule = await findOnCallSchedule(account, request.name);
    const at = request.at ? timestampDate(request.at) : clock.now();
    if (!isOnCallTime(at))
      throw validationFault([{ pointer: "/at", code: "field.invalid", message: say("on_call_time") }]);
    const until = new Date(at.getTime() + PRESENT_MS);
    const { shifts, addresses } = await shiftsOf(account, schedule, { from: at, until });
    const [shift] = shifts;
    if (!shift) throw fault("internal.error", { internal: "an on-call schedule has no shift" });
    const address = shift.participant && addressOf(shift.participant, addresses);
    return {
      at: timestampFromDate(at),
      shift: toShift(shift, addresses),
      recipients: address === undefined ? [...schedule.settings.fallback] : [address],
    };
  };
}

/** @throws Fault account.unknown, on_call_schedule.unknown, request.validation_failed */
export function createListOnCallShifts({ store }: Pick<OncallNeeds, "store">) {
  return async (
    request: ListOnCallShiftsRequest,
  ): Promise<MessageInitShape<typeof ListOnCallShiftsResponseSchema>> => {
    const range = readRange(request);
    let addresses: ReadonlyMap<string, string> = new Map();
    const { entries, nextPageToken } = await pageOfAccount(request, {
      store,
      list: async (account, { after = "", limit }) => {
        const schedule = await findOnCallSchedule(account, request.name);
        const found = await shiftsOf(account, schedule, range);
        addresses = found.addresses;
        return found.shifts.filter(({ from }) => from.toISOString() > after).slice(0, limit);
      },
      cursorOf: ({ from }) => from.toISOString(),
    });
    return { shifts: entries.map((shift) => toShift(shift, addresses)), nextPageToken };
  };
}

function readRange({ from, until }: Pick<ListOnCallShiftsRequest, "from" | "until">): Range {
  const faults = createFieldFaults();
  const [begin, end] = [from, until].map((time) => time && timestampDate(time));
  if (!begin) faults.add("/from", "field.required", say("needed"));
  else if (!isOnCallTime(begin)) faults.add("/from", "field.invalid", say("on_call_time"));
  if (!end) faults.add("/until", "field.required", say("needed"));
  if (begin && end && begin >= end) faults.add("/until", "field.invalid", say("until_after_from"));
  else if (begin && end && end.getTime() - begin.getTime() > MAX_RANGE_DAYS * DAY_MS)
    faults.add("/until", "field.invalid", say("on_call_range", { max: MAX_RANGE_DAYS }));
  if (faults.found.length > 0 || !begin || !end) throw validationFault(faults.found);
  return { from: begin, until: end };
}

interface FoundShifts {
  readonly shifts: readonly OnCallShift[];
  /** Addresses of members among the participants, by user. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** Reads the overrides and members of a schedule, and finds its shifts in a range. */
export async function shiftsOf(
  { oncalls }: Pick<AccountStore, "oncalls">,
  schedule: OnCallScheduleDocument,
  { from, until }: Range,
): Promise<FoundShifts> {
  const overrides = await oncalls.overridesIn([schedule._id], from, until);
  const addresses = await oncalls.addresses(userIdsOf([schedule], overrides));
  return { shifts: presentShifts(schedule.settings, { from, until, overrides, addresses }), addresses };
}
