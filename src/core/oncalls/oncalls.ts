import { OncallService } from "../../../gen/hermod/oncall/v1/oncall_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createRemoval } from "../resource-use.ts";
import { createListOnCall } from "./list-on-call.ts";
import {
  createAddOnCallOverride,
  createListOnCallOverrides,
  createRemoveOnCallOverride,
} from "./on-call-overrides.ts";
import { createGetOnCall, createListOnCallShifts } from "./on-call-shifts.ts";
import { toOnCallSchedule } from "./on-call-to-proto.ts";
import {
  createCompareOnCallScheduleVersions,
  createGetOnCallScheduleVersion,
  createListOnCallScheduleVersions,
  createRestoreOnCallSchedule,
} from "./on-call-versions.ts";
import { userIdsOf } from "./present-recipients.ts";
import { findOnCallSchedule, type OncallNeeds, storeOnCallSchedule } from "./store-on-call-schedule.ts";
import { createSwapOnCallShifts } from "./swap-on-call-shifts.ts";

const READ = permitted("alerts.read");
const WRITE = permitted("alerts.write");

/** On-call schedules, which alert rules notify. */
export const oncalls: Area<OncallNeeds> = defineArea(OncallService, {
  listOnCallSchedules: [
    READ,
    READS,
    ({ store }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        const { entries, nextPageToken } = await pageOfAccount(request, {
          store,
          list: ({ oncalls: schedules }, page) => schedules.list(page),
          cursorOf: ({ name }) => name,
        });
        const addresses = await account.oncalls.addresses(userIdsOf(entries, []));
        return { schedules: entries.map((one) => toOnCallSchedule(one, addresses)), nextPageToken };
      },
  ],
  /** @throws Fault account.unknown, on_call_schedule.unknown */
  getOnCallSchedule: [
    READ,
    READS,
    ({ store }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        const schedule = await findOnCallSchedule(account, request.name);
        const addresses = await account.oncalls.addresses(userIdsOf([schedule], []));
        return { schedule: toOnCallSchedule(schedule, addresses) };
      },
  ],
  /** @throws Fault account.unknown, request.validation_failed, on_call_schedule.too_many, resource.stale */
  putOnCallSchedule: [
    WRITE,
    changes("on_call_schedule.put"),
    ({ store }) =>
      async ({ settings, ifRevision, ...request }, { audit }) => {
        const account = await resolveAccount(store, request);
        const { schedule, isNew } = await storeOnCallSchedule(account, settings, { audit, ifRevision });
        return { schedule, created: isNew };
      },
  ],
  /** @throws Fault account.unknown, on_call_schedule.unknown, resource.in_use, resource.stale */
  deleteOnCallSchedule: [
    WRITE,
    changes("on_call_schedule.delete", "name"),
    ({ store }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const { name, ifRevision } = request;
        const { check } = createRemoval({ kind: "on_call_schedule", name }, { force: false });
        const isRemoved = await account.oncalls.remove(name, audit, check, ifRevision);
        if (!isRemoved) throw fault("on_call_schedule.unknown");
        return {};
      },
  ],
  listOnCallScheduleVersions: [READ, READS, createListOnCallScheduleVersions],
  getOnCallScheduleVersion: [READ, READS, createGetOnCallScheduleVersion],
  compareOnCallScheduleVersions: [READ, READS, createCompareOnCallScheduleVersions],
  restoreOnCallSchedule: [WRITE, changes("on_call_schedule.restore", "name"), createRestoreOnCallSchedule],
  getOnCall: [READ, READS, createGetOnCall],
  listOnCall: [READ, READS, createListOnCall],
  listOnCallShifts: [READ, READS, createListOnCallShifts],
  listOnCallOverrides: [READ, READS, createListOnCallOverrides],
  addOnCallOverride: [WRITE, changes("on_call_override.add", "name"), createAddOnCallOverride],
  removeOnCallOverride: [WRITE, changes("on_call_override.remove", "id"), createRemoveOnCallOverride],
  swapOnCallShifts: [WRITE, changes("on_call_override.swap", "name"), createSwapOnCallShifts],
});
