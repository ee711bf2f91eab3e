import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  ListOnCallRequest,
  ListOnCallResponseSchema,
  OnCallDutySchema,
  OnCallStateSchema,
} from "../../../gen/hermod/oncall/v1/oncall_service_pb.ts";
import { type Duty, dutiesOf } from "../../alerts/on-call/duties.ts";
import type { Participant } from "../../alerts/on-call/on-call-schedule.ts";
import type { OnCallScheduleDocument } from "../../store/oncall-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toPerson } from "./on-call-to-proto.ts";
import { addressOf, type Present, presentShifts, type Range, userIdsOf } from "./present-recipients.ts";
import { findOnCallSchedule, type OncallNeeds } from "./store-on-call-schedule.ts";

/** Range in which changes are searched. */
const AHEAD_MS = 60 * 86_400_000;
const MAX_OWN = 5;
/** Number of schedules to read together: each has up to 1,000 overrides. */
const AT_ONCE = 20;

/** Range and member of a request. */
interface Asked extends Range {
  /** Member to list the times on call for. Empty: none. */
  readonly userId: string;
}

/** @throws Fault account.unknown, on_call_schedule.unknown, request.validation_failed */
export function createListOnCall({ store, clock }: OncallNeeds) {
  return async (request: ListOnCallRequest): Promise<MessageInitShape<typeof ListOnCallResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const { name, userId } = request;
    const { entries, nextPageToken } = await pageOfAccount(request, {
      store,
      list: async ({ oncalls }, page) => {
        if (name === "") return oncalls.list(page);
        return page.after === undefined ? [await findOnCallSchedule(account, name)] : [];
      },
      cursorOf: (schedule) => schedule.name,
    });
    const from = clock.now();
    const asked = { userId, from, until: new Date(from.getTime() + AHEAD_MS) };
    const states: MessageInitShape<typeof OnCallStateSchema>[] = [];
    for (let at = 0; at < entries.length; at += AT_ONCE)
      states.push(...(await statesOf(account, entries.slice(at, at + AT_ONCE), asked)));
    return { states, nextPageToken };
  };
}

async function statesOf(
  { oncalls }: Pick<AccountStore, "oncalls">,
  schedules: readonly OnCallScheduleDocument[],
  asked: Asked,
) {
  const ids = schedules.map(({ _id }) => _id);
  const overrides = await oncalls.overridesIn(ids, asked.from, asked.until);
  const users = new Set([...userIdsOf(schedules, overrides), ...(asked.userId === "" ? [] : [asked.userId])]);
  const addresses = await oncalls.addresses([...users]);
  return schedules.map((schedule) => {
    const own = overrides.filter(({ scheduleId }) => scheduleId === schedule._id);
    return stateOf(schedule, { overrides: own, addresses }, asked);
  });
}

function stateOf(
  { name, settings }: OnCallScheduleDocument,
  present: Present,
  asked: Asked,
): MessageInitShape<typeof OnCallStateSchema> {
  const { addresses } = present;
  // A member can be a participant by id and by address.
  const personOf = (participant: Participant) => addressOf(participant, addresses)?.toLowerCase() ?? "";
  const duties = findDuties(settings, { ...asked, ...present }, personOf);
  const [now, next] = duties;
  const address = now?.participant && addressOf(now.participant, addresses);
  const own = addresses.get(asked.userId)?.toLowerCase();
  const toDuty = (duty: Duty) => toOnCallDuty(duty, addresses, asked.until);
  return {
    name,
    timeZone: settings.layers[0]?.zone ?? "UTC",
    ...(now && { now: toDuty(now) }),
    ...(next && { next: toDuty(next) }),
    recipients: address === undefined ? [...settings.fallback] : [address],
    own: duties
      .filter(({ participant }) => participant && personOf(participant) === own)
      .slice(0, MAX_OWN)
      .map(toDuty),
  };
}

/** None if the program does not know a time zone of the schedule. The other schedules are listed all the same. */
function findDuties(
  settings: OnCallScheduleDocument["settings"],
  range: Range & Present,
  personOf: (participant: Participant) => string,
): Duty[] {
  try {
    return dutiesOf(presentShifts(settings, range), personOf);
  } catch (err) {
    if (err instanceof RangeError) return [];
    throw err;
  }
}

function toOnCallDuty(
  { from, until, participant }: Duty,
  addresses: Present["addresses"],
  end: Date,
): MessageInitShape<typeof OnCallDutySchema> {
  return {
    from: timestampFromDate(from),
    ...(until < end && { until: timestampFromDate(until) }),
    ...(participant && { person: toPerson(participant, addresses) }),
  };
}
