import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type {
  AddOnCallOverrideRequest,
  AddOnCallOverrideResponseSchema,
  ListOnCallOverridesRequest,
  ListOnCallOverridesResponseSchema,
  RemoveOnCallOverrideRequest,
  RemoveOnCallOverrideResponseSchema,
} from "../../../gen/hermod/oncall/v1/oncall_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { createFieldFaults, type FieldFaults } from "../field-faults.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toOverride } from "./on-call-to-proto.ts";
import { userIdsOf } from "./present-recipients.ts";
import { readParticipant } from "./read-on-call-schedule.ts";
import { findOnCallSchedule, type OncallNeeds } from "./store-on-call-schedule.ts";

type Context = Pick<HandlerContext, "audit">;

const MAX_COMMENT = 500;
const YEAR_MS = 366 * 86_400_000;

/** @throws Fault account.unknown, on_call_schedule.unknown, request.validation_failed */
export function createListOnCallOverrides({ store, clock }: OncallNeeds) {
  return async (
    request: ListOnCallOverridesRequest,
  ): Promise<MessageInitShape<typeof ListOnCallOverridesResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const { _id } = await findOnCallSchedule(account, request.name);
    const { entries, nextPageToken } = await pageOfAccount(request, {
      store,
      list: ({ oncalls }, page) => oncalls.listOverrides(_id, page),
      cursorOf: ({ _id: id }) => id,
    });
    const addresses = await account.oncalls.addresses(userIdsOf([], entries));
    const now = clock.now();
    return { overrides: entries.map((one) => toOverride(one, addresses, now)), nextPageToken };
  };
}

/**
 * @throws Fault account.unknown, on_call_schedule.unknown, request.validation_failed, member.unknown,
 *   on_call_override.too_many
 */
export function createAddOnCallOverride({ store, clock }: OncallNeeds) {
  return async (
    request: AddOnCallOverrideRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof AddOnCallOverrideResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const { _id } = await findOnCallSchedule(account, request.name);
    const now = clock.now();
    const faults = createFieldFaults();
    const participant = readParticipant(request.participant, "/participant", faults);
    const times = readTimes(request, { at: "", now, faults });
    const comment = readComment(request.comment, faults);
    if (faults.found.length > 0) throw validationFault(faults.found);
    const added = await account.oncalls.addOverrides(_id, [{ participant, ...times, comment }], audit);
    const [override] = added ?? [];
    if (!override) throw fault("internal.error", { internal: "no override was added" });
    const addresses = await account.oncalls.addresses(userIdsOf([], [override]));
    return { override: toOverride(override, addresses, now) };
  };
}

/** @throws Fault account.unknown, on_call_schedule.unknown, on_call_override.unknown */
export function createRemoveOnCallOverride({ store }: OncallNeeds) {
  return async (
    request: RemoveOnCallOverrideRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof RemoveOnCallOverrideResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const { _id } = await findOnCallSchedule(account, request.name);
    await account.oncalls.endOverride(_id, request.id, audit);
    return {};
  };
}

interface Times {
  readonly from: Date;
  /** Exclusive. */
  readonly until: Date;
}

/** Reads the time of an override: a past begin means now. @param at JSON pointer to the times */
export function readTimes(
  given: { readonly from?: Timestamp | undefined; readonly until?: Timestamp | undefined },
  { at, now, faults }: { readonly at: string; readonly now: Date; readonly faults: FieldFaults },
): Times {
  const begin = given.from ? timestampDate(given.from) : now;
  const from = begin > now ? begin : now;
  const until = given.until ? timestampDate(given.until) : now;
  if (!given.until) faults.add(`${at}/until`, "field.required", say("needed"));
  else if (until <= from) faults.add(`${at}/until`, "field.invalid", say("ends_after_begins_not_past"));
  else if (until.getTime() - now.getTime() > YEAR_MS)
    faults.add(`${at}/until`, "field.invalid", say("ends_within_year"));
  return { from, until };
}

export function readComment(given: string, faults: FieldFaults): string {
  const comment = given.trim();
  if (comment.length > MAX_COMMENT)
    faults.add("/comment", "field.invalid", say("at_most_characters", { max: MAX_COMMENT }));
  return comment;
}
