import { create, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type CompareOnCallScheduleVersionsRequest,
  type CompareOnCallScheduleVersionsResponseSchema,
  type GetOnCallScheduleVersionRequest,
  type GetOnCallScheduleVersionResponseSchema,
  type ListOnCallScheduleVersionsRequest,
  type ListOnCallScheduleVersionsResponseSchema,
  OnCallScheduleSettingsSchema,
  type RestoreOnCallScheduleRequest,
  type RestoreOnCallScheduleResponseSchema,
} from "../../../gen/hermod/oncall/v1/oncall_service_pb.ts";
import type { OnCallSettings } from "../../alerts/on-call/on-call-schedule.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import type { OnCallScheduleDocument } from "../../store/oncall-documents.ts";
import type { PlainVersion } from "../../store/plain-versions.ts";
import type { AccountStore } from "../../store/store.ts";
import { resolveAccount } from "../resolve-account.ts";
import {
  compareVersions,
  findVersion,
  listVersions,
  messageFields,
  toSettingVersion,
} from "../setting-versions.ts";
import { toOnCallSettings } from "./on-call-to-proto.ts";
import { findOnCallSchedule, type OncallNeeds, storeOnCallSchedule } from "./store-on-call-schedule.ts";

/** @throws Fault account.unknown, on_call_schedule.unknown, request.validation_failed */
export function createListOnCallScheduleVersions({ store }: OncallNeeds) {
  return async (
    request: ListOnCallScheduleVersionsRequest,
  ): Promise<MessageInitShape<typeof ListOnCallScheduleVersionsResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const schedule = await findOnCallSchedule(account, request.name);
    return listVersions(account.oncallVersions, schedule, request);
  };
}

/** @throws Fault account.unknown, on_call_schedule.unknown, on_call_schedule.version_not_found */
export function createGetOnCallScheduleVersion({ store }: OncallNeeds) {
  return async (
    request: GetOnCallScheduleVersionRequest,
  ): Promise<MessageInitShape<typeof GetOnCallScheduleVersionResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const schedule = await findOnCallSchedule(account, request.name);
    const found = await findOne(account, schedule, request.version);
    return { version: toSettingVersion(found), settings: toOnCallSettings(found.content) };
  };
}

/** @throws Fault account.unknown, on_call_schedule.unknown, on_call_schedule.version_not_found */
export function createCompareOnCallScheduleVersions({ store }: OncallNeeds) {
  return async (
    request: CompareOnCallScheduleVersionsRequest,
  ): Promise<MessageInitShape<typeof CompareOnCallScheduleVersionsResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const schedule = await findOnCallSchedule(account, request.name);
    return compareVersions(request, {
      find: (version) => findOne(account, schedule, version),
      fieldsOf,
    });
  };
}

/**
 * Stores the settings of an earlier version. The rules of today apply: its participants must be members.
 * @throws Fault account.unknown, on_call_schedule.unknown, on_call_schedule.version_not_found,
 *   request.validation_failed, resource.stale
 */
export function createRestoreOnCallSchedule({ store }: OncallNeeds) {
  return async (
    request: RestoreOnCallScheduleRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof RestoreOnCallScheduleResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const present = await findOnCallSchedule(account, request.name);
    const { content, number: restores } = await findOne(account, present, String(request.version));
    const settings = create(OnCallScheduleSettingsSchema, toOnCallSettings(content));
    const { ifRevision } = request;
    const { schedule } = await storeOnCallSchedule(account, settings, { audit, ifRevision, restores });
    return { schedule };
  };
}

/** @throws Fault on_call_schedule.version_not_found */
function findOne(
  { oncallVersions }: Pick<AccountStore, "oncallVersions">,
  schedule: OnCallScheduleDocument,
  version: string,
): Promise<PlainVersion<OnCallSettings>> {
  return findVersion(oncallVersions, schedule, version, () => fault("on_call_schedule.version_not_found"));
}

function fieldsOf({ content }: PlainVersion<OnCallSettings>): JsonObject {
  const { name: _, ...fields } = messageFields(OnCallScheduleSettingsSchema, toOnCallSettings(content));
  return fields;
}
